import { useEffect, useRef, useState } from "preact/hooks";
import { formatAgo, formatDeadline, formatTime, formatUtc, toUrgency } from "../data/base/format.ts";
import { createValue, useValue } from "../data/base/value.ts";
import { Icon } from "./button.tsx";

/** Often enough for minutes; each tick draws every relative time on the page. */
const TICK_MS = 15_000;

/** Now, in ms since 1970, as relative times on the page see it. */
export const clock = createValue(Date.now());

/** Run the clock while the page is visible. */
export function startClock(): void {
  const tick = () => {
    if (!document.hidden) clock.set(Date.now());
  };
  setInterval(tick, TICK_MS);
  document.addEventListener("visibilitychange", tick);
}

/** The current time, in a component that redraws as time passes. */
export function useNow(): number {
  return useValue(clock);
}

/** The formatted current time, in a component that redraws only when the text changes. Lists have many of them. */
function useClock(format: (nowMs: number) => string): string {
  const latest = useRef(format);
  latest.current = format;
  const [, setText] = useState("");
  useEffect(() => clock.subscribe(() => setText(latest.current(clock.get()))), []);
  return format(clock.get());
}

interface TimeProps {
  /** ISO moment. */
  readonly at: string;
}

/** A moment in full, in the shop's time zone; in UTC as its title. */
export function Time({ at }: TimeProps) {
  return (
    <time dateTime={at} title={formatUtc(at)}>
      {formatTime(at)}
    </time>
  );
}

/** How long ago something happened; updates on its own. The title shows the full time. */
export function Ago({ at }: TimeProps) {
  return (
    <time dateTime={at} title={formatTime(at)}>
      {useClock((now) => formatAgo(at, now))}
    </time>
  );
}

/** Time until or since a deadline; updates on its own and shows the urgency. */
export function Deadline({ at }: TimeProps) {
  const text = useClock((now) => formatDeadline(at, now));
  const urgency = toUrgency(at, clock.get());
  return (
    <time class="deadline digits no-wrap" data-urgency={urgency} dateTime={at} title={formatTime(at)}>
      {urgency !== "later" && <Icon name={urgency === "overdue" ? "warning" : "clock"} />}
      {text}
    </time>
  );
}
