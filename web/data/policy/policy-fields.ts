import type { Policy } from "../../../src/policy/policy.ts";

/** How the form shows a value of the policy, and what a list of changes calls it. */
export interface Field {
  readonly label: string;
  /** `check`: a checkbox. `choice`: one of `options`. `answer`: yes or no, as `options`. `choices`: any number of `options`. */
  readonly kind: "number" | "list" | "check" | "choice" | "answer" | "choices";
  readonly hint?: string;
  /** What an empty field means. */
  readonly placeholder?: string;
  readonly options?: readonly (readonly [value: string, label: string, hint?: string])[];
}

/** A titled part of the form: its fields, by their path in the document. */
export interface FieldGroup {
  readonly title: string;
  readonly fields: Readonly<Record<string, Field>>;
  readonly foot?: string;
}

const check = (label: string): Field => ({ label, kind: "check" });
const number = (label: string, hint: string): Field => ({ label, kind: "number", hint });
const limit = (label: string): Field => ({ label, kind: "number", placeholder: "No limit" });
const list = (label: string, placeholder: string, hint: string): Field => {
  return { label, kind: "list", placeholder, hint };
};
const choice = (label: string, ...options: NonNullable<Field["options"]>): Field => {
  return { label, kind: "choice", options };
};

/** Whether Holdfast acts; the first setting of the form. */
export const MODE: Field = choice(
  "Mode",
  ["active", "Active", "Holdfast tags, holds, and cancels orders."],
  [
    "shadow",
    "Watch only",
    "Holdfast records decisions without changing orders. The report shows what would have happened.",
  ],
);

/** Every other setting that isn't part of a level, a rule, or a list of buyers. */
export const FIELD_GROUPS: readonly FieldGroup[] = [
  {
    title: "Holds",
    fields: {
      "hold.deadlineHours": number("Deadline (hours)", "How long to wait for a decision, from 1 to 2160."),
      "hold.onDeadline": choice(
        "If nobody decides by then",
        ["keep", "Keep holding", "The order stays in the queue, marked overdue."],
        ["release", "Release", "The order can ship."],
        ["cancel", "Cancel", "Only if the risk level that the service found is one you hold or cancel."],
      ),
      "hold.onAppRelease": choice(
        "If another app releases a hold",
        ["hold-again", "Hold again, once", "If the app releases it again, the order can ship."],
        ["respect", "Leave it", "The order can ship."],
      ),
    },
  },
  {
    title: "Cancellations",
    fields: {
      "cancel.coolOffMinutes": number(
        "Wait before canceling (minutes)",
        "How long to hold an order before canceling it. 0 cancels right away.",
      ),
      "cancel.maxPerHour": number(
        "Maximum per hour",
        "Over this limit, orders are held instead of canceled.",
      ),
      "cancel.refund": check("Refund payment"),
      "cancel.restock": check("Restock items"),
      "cancel.notifyCustomer": check("Notify customer"),
      optOutTags: list(
        "Customer tags that opt out",
        "No tags",
        "Orders of customers with one of these tags are held instead of canceled, so that a person decides.",
      ),
    },
  },
  {
    title: "Checks",
    fields: {
      whenUnavailable: choice(
        "When the service is unavailable",
        ["local", "Use the local engine", "It can tag and hold orders, but never cancels."],
        ["hold", "Hold the order", "You decide on each order."],
        ["allow", "Allow the order", "The order is marked as not checked."],
      ),
      whileChecking: choice(
        "While an order is checked",
        ["nothing", "Don't hold it", "It can ship before it's decided. Most checks take seconds."],
        ["hold", "Hold it", "It can't ship before it's decided, not even during an outage."],
      ),
      testOrders: choice(
        "Test orders",
        ["local", "Local engine", "No credits used."],
        ["service", "Service", "Uses 1 credit per order."],
        ["skip", "Don't check"],
      ),
      skipChannels: list(
        "Channels to skip",
        "Every channel is checked",
        "Orders from these channels are allowed without a check: pos, draft, subscription, web, or the platform's own name.",
      ),
      rescreenOnChange: check("Check again when an order changes in a way that affects risk (uses a credit)"),
      captureWhenApproved: check(
        "Capture the payment when an order is approved (for shops that capture by hand)",
      ),
    },
  },
  {
    title: "Credit limits",
    fields: {
      "budget.daily": limit("Per day"),
      "budget.monthly": limit("Per month"),
      "budget.perSourceHourly": {
        ...limit("Per source per hour"),
        hint: "A source is one mailbox, network, or delivery address. One that usually sends more may send three times its usual number.",
      },
    },
    foot: "When you reach a limit, orders are handled as if the service were unavailable.",
  },
];

export function readSetting(policy: Policy, path: string): unknown {
  return path
    .split(".")
    .reduce<unknown>((value, key) => (value as Readonly<Record<string, unknown>> | undefined)?.[key], policy);
}

/** The change of a policy that sets the value at a path. */
export function changeSetting(policy: Policy, path: string, value: unknown): Partial<Policy> {
  const [part = "", name] = path.split(".");
  return { [part]: name === undefined ? value : { ...policy[part as "hold"], [name]: value } };
}

export function nameSetting({ options, placeholder = "none" }: Field, value: unknown): string {
  if (value === undefined) return "default";
  if (value === null || (Array.isArray(value) && value.length === 0)) return placeholder.toLowerCase();
  if (Array.isArray(value)) return value.join(", ");
  const text = typeof value === "string" ? value : JSON.stringify(value);
  const known = options?.find(([one]) => one === text)?.[1];
  return known ?? { true: "yes", false: "no" }[text] ?? text;
}
