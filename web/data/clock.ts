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

/** Now, in a component that is drawn anew as time goes by. */
export function useNow(): number {
  return useValue(clock);
}

/** What `format` makes of now, in a component that is drawn anew only when that changes: lists have many of them. */
export function useClock(format: (nowMs: number) => string): string {
  const latest = useRef(format);
  latest.current = format;
  const [, setText] = useState("");
  useEffect(() => clock.subscribe(() => setText(latest.current(clock.get()))), []);
  return format(clock.get());
}
