import { formatAgo, formatDeadline, formatTime, formatUtc, toUrgency } from "../data/format.ts";
import { clock, useClock } from "../data/clock.ts";
import { Icon } from "./icon.tsx";

interface TimeProps {
  /** ISO moment. */
  readonly at: string;
}

/** A moment in full, in the reader's time zone; in UTC as its title. */
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
    <time class="deadline" data-urgency={urgency} dateTime={at} title={formatTime(at)}>
      {urgency !== "later" && <Icon name={urgency === "overdue" ? "warning" : "clock"} />}
      {text}
    </time>
  );
}
