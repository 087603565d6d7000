/** The overview. */
export const TEXTS = {
  "already-checked": "already checked",
  backlog: "Undecided orders: {count, number}. The oldest arrived {age} ago.",
  "bursts-limited": "bursts limited",
  "calls-stay-paused-until-this-is": "Calls stay paused until this is fixed.",
  "calls-to-the-verification-service-are": "Calls to the verification service are paused.",
  cap: "Credits of this {of, select, day {day} other {month}}: {spent, number} of {cap, number}",
  "checking-whether-the-verification-service-is":
    "Checking whether the verification service is available again.",
  credits: "Credits",
  "decided-on-time": "Decided on time",
  "due-within-6-hours": "Due within 6 hours",
  "duplicate-deliveries": "duplicate deliveries",
  "fewer-high-and-critical-orders-than":
    "Fewer high and critical orders than on the same weekday of the last four weeks:",
  "fewer-medium-orders-than-on-the": "Fewer medium orders than on the same weekday of the last four weeks:",
  "finish-setup":
    "Finish setup: {count, plural, one {# step} other {# steps}} left. <link>Continue setup</link>",
  "held-for-review": "Held for review",
  "held-without-the-service": "Held without the service",
  "in-days": "{count, plural, one {# order} other {# orders}} in {days, number} days",
  "in-hours": "{part} in {hours, number} h",
  left: "{left, number} left this month. At this rate, they last until the end of the month.",
  "left-today": "{left, number} left this month. At this rate, they run out today.",
  "left-until": "{left, number} left this month. At this rate, they run out on {date}.",
  "more-high-and-critical-orders-than":
    "More high and critical orders than on the same weekday of the last four weeks:",
  "more-medium-orders-than-on-the": "More medium orders than on the same weekday of the last four weeks:",
  "needs-attention": "Needs attention",
  "next-attempt":
    "Next attempt: {time}. Orders that can't wait until then follow the policy for when the service is unavailable.",
  "no-limit": "no limit",
  "no-monthly-limit": "No monthly limit.",
  "no-verification-service-is-set-up":
    "No verification service is set up. The local engine checks orders and never cancels.",
  "not-held-yet": "Not held yet",
  of: "of {cap, number}",
  "orders-by-decision": "Orders by decision",
  "orders-by-risk-level": "Orders by risk level",
  "orders-per-day-by-decision": "Orders per day by decision",
  "orders-per-day-by-risk-level": "Orders per day by risk level",
  overdue: "Overdue",
  overview: "Overview",
  "per-day": "Orders per day ({zone})",
  "saved-part": "{count, number} {reason}",
  "saved-this-month": "Saved this month",
  shift:
    "{shift} {orders, number} of {count, plural, one {# order} other {# orders}} with a risk level today. <link>Show these orders</link>",
  "skipped-by-a-rule": "skipped by a rule",
  "slowest-1-in-100": "Slowest 1 in 100",
  "speed-and-coverage": "Speed and coverage",
  "the-daily-limit-is-0-so": "The daily limit is 0, so orders are decided without the service.",
  "the-verification-service-is-available": "The verification service is available.",
  "typical-time-to-decide": "Typical time to decide",
  "used-this-month": "Used this month",
  "used-today": "Used today",
  "watch-only":
    "Watch only: Holdfast records decisions without changing orders. <link>See what would have happened</link>",
  "without-the-service": "Without the service",
  "youve-reached-the-monthly-limit-orders":
    "You've reached the monthly limit. Orders are now decided without the service.",
  "youve-reached-todays-limit-until-midnight":
    "You've reached today's limit. Until midnight UTC, orders are decided without the service.",
} as const;
