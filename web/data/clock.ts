import { useEffect, useRef, useState } from "preact/hooks";
import { createValue, useValue } from "./value.ts";

/** Often enough for minutes; each tick draws every relative time on the page. */
const TICK_MS = 15_000;

/** Now, in ms since 1970, as relative times on the page see it. */
export const clock = createValue(Date.now());

/** Make the clock go, while the page is visible. */
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
export function useClock(format: (nowMs: number) => string): string {
  const latest = useRef(format);
  latest.current = format;
  const [, setText] = useState("");
  useEffect(() => clock.subscribe(() => setText(latest.current(clock.get()))), []);
  return format(clock.get());
}
