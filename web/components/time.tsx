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

/** How long ago something was; goes on by itself. The full moment is its title. */
export function Ago({ at }: TimeProps) {
  return (
    <time dateTime={at} title={formatTime(at)}>
      {useClock((now) => formatAgo(at, now))}
    </time>
  );
}

/** How long until a deadline, or since; goes on by itself and shows how urgent it is. */
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
