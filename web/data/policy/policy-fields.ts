import type { BuyerCheckMethod, BuyerLanguage } from "../../../src/order/buyer-check.ts";
import type { Policy } from "../../../src/policy/policy.ts";
import { formatList, nameCountry, toMiddle } from "../base/format.ts";
import { toSelector } from "../api/words.ts";
import { t } from "../base/texts.ts";
import { toNumber, type Range } from "./rule-words.ts";

/** How the form shows a value of the policy, and what a list of changes calls it. */
export interface Field {
  readonly label: string;
  /**
   * `text`: may be absent. `range`: a minimum and a maximum, either of which may be absent. `countries`: a list of country codes, by name. `check`: a
   * checkbox. `choice`: one of `options`. `answer`: yes or no, as `options`. `choices`: any number of `options`.
   */
  readonly kind:
    | "text"
    | "number"
    | "range"
    | "list"
    | "countries"
    | "check"
    | "choice"
    | "answer"
    | "choices";
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
const limit = (label: string): Field => ({ label, kind: "number", placeholder: t("fields.no-limit") });
const list = (label: string, placeholder: string, hint: string): Field => {
  return { label, kind: "list", placeholder, hint };
};
const choice = (label: string, ...options: NonNullable<Field["options"]>): Field => {
  return { label, kind: "choice", options };
};

const METHODS: readonly BuyerCheckMethod[] = ["earlier-address", "card-code", "evidence"];
const LANGUAGES: readonly BuyerLanguage[] = ["en", "de", "fr", "es", "pt-BR", "ja", "zh-CN"];

/** A language in itself. */
function nameLanguage(tag: string): string {
  return new Intl.DisplayNames([tag], { type: "language" }).of(tag) ?? tag;
}

/** Whether Holdfast acts; the first setting of the form. */
export const MODE: Field = choice(
  t("fields.mode"),
  ["active", t("fields.active"), t("fields.holdfast-tags-holds-and-cancels-orders")],
  ["shadow", t("fields.watch-only"), t("fields.holdfast-records-decisions-without-changing-orders")],
);

/** Every other setting that isn't part of a level, a rule, or a list of buyers. */
export const FIELD_GROUPS: readonly FieldGroup[] = [
  {
    title: t("fields.holds"),
    fields: {
      "hold.deadlineHours": number(t("fields.deadline-hours"), t("fields.how-long-to-wait-for-a")),
      "hold.onDeadline": choice(
        t("fields.if-nobody-decides-by-then"),
        ["keep", t("fields.keep-holding"), t("fields.the-order-stays-in-the-queue")],
        ["release", t("fields.release"), t("fields.the-order-can-ship")],
        ["cancel", t("fields.cancel"), t("fields.only-if-the-risk-level-that")],
      ),
      "hold.onAppRelease": choice(
        t("fields.if-another-app-releases-a-hold"),
        ["hold-again", t("fields.hold-again-once"), t("fields.if-the-app-releases-it-again")],
        ["respect", t("fields.leave-it"), t("fields.the-order-can-ship")],
      ),
    },
  },
  {
    title: t("asking.title"),
    fields: {
      "verify.methods": {
        label: t("asking.ways"),
        kind: "choices",
        options: METHODS.map((method) => [method, t("asking.method", { method: toSelector(method) })]),
      },
      "verify.shopName": {
        label: t("asking.shop-name"),
        kind: "text",
        placeholder: t("asking.the-platforms-address"),
      },
      "verify.language": choice(
        t("asking.language"),
        ...LANGUAGES.map((tag) => [tag, nameLanguage(tag)] as const),
      ),
      "verify.keepAddresses": check(t("asking.keep-addresses")),
    },
  },
  {
    title: t("fields.cancellations"),
    fields: {
      "cancel.coolOffMinutes": number(
        t("fields.wait-before-canceling-minutes"),
        t("fields.how-long-to-hold-an-order"),
      ),
      "cancel.maxPerHour": number(t("fields.maximum-per-hour"), t("fields.over-this-limit-orders-are-held")),
      "cancel.refund": check(t("fields.refund-payment")),
      "cancel.restock": check(t("fields.restock-items")),
      "cancel.notifyCustomer": check(t("fields.notify-customer")),
      optOutTags: list(
        t("fields.customer-tags-that-opt-out"),
        t("fields.no-tags"),
        t("fields.orders-of-customers-with-one-of"),
      ),
    },
  },
  {
    title: t("fields.checks"),
    fields: {
      whenUnavailable: choice(
        t("fields.when-the-service-is-unavailable"),
        ["local", t("fields.use-the-local-engine"), t("fields.it-can-tag-and-hold-orders")],
        ["hold", t("fields.hold-the-order"), t("fields.you-decide-on-each-order")],
        ["allow", t("fields.allow-the-order"), t("fields.the-order-is-marked-as-not")],
      ),
      whileChecking: choice(
        t("fields.while-an-order-is-checked"),
        ["nothing", t("fields.dont-hold-it"), t("fields.it-can-ship-before-its-decided")],
        ["hold", t("fields.hold-it"), t("fields.it-cant-ship-before-its-decided")],
      ),
      testOrders: choice(
        t("fields.test-orders"),
        ["local", t("fields.local-engine"), t("fields.no-credits-used")],
        ["service", t("fields.service"), t("fields.uses-1-credit-per-order")],
        ["skip", t("fields.dont-check")],
      ),
      skipChannels: list(
        t("fields.channels-to-skip"),
        t("fields.every-channel-is-checked"),
        t("fields.orders-from-these-channels-are-allowed"),
      ),
      agentChannels: list(
        t("fields.agent-channels"),
        t("fields.only-agent"),
        t("fields.agent-channels-hint"),
      ),
      blockedAtCheckout: choice(
        t("fields.blocked-at-checkout"),
        ["nothing", t("fields.let-blocked-order"), t("fields.their-orders-are-held")],
        ["refuse", t("fields.refuse-the-checkout"), t("fields.refuse-the-checkout-hint")],
        ["another-payment", t("fields.ask-another-payment"), t("fields.ask-another-payment-hint")],
      ),
      hiddenPayments: list(
        t("fields.hidden-payments"),
        t("fields.hide-no-payment"),
        t("fields.hidden-payments-hint"),
      ),
      rescreenOnChange: check(t("fields.check-again-when-an-order-changes")),
      captureWhenApproved: check(t("fields.capture-the-payment-when-an-order")),
    },
  },
  {
    title: t("fields.credit-limits"),
    fields: {
      "budget.daily": limit(t("fields.per-day")),
      "budget.monthly": limit(t("fields.per-month")),
      "budget.perSourceHourly": {
        ...limit(t("fields.per-source-per-hour")),
        hint: t("fields.per-source-hint"),
      },
    },
    foot: t("fields.when-you-reach-a-limit-orders"),
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

export function nameSetting(field: Field, value: unknown): string {
  const { kind, placeholder = t("fields.none") } = field;
  if (value === undefined) return t("fields.default");
  if (value === null || (Array.isArray(value) && value.length === 0)) return toMiddle(placeholder);
  if (Array.isArray(value)) return value.map((entry: string) => nameEntry(field, entry)).join(", ");
  return kind === "range" ? nameRange(value) : nameEntry(field, value);
}

function nameEntry({ kind, options }: Field, value: unknown): string {
  const text = typeof value === "string" ? value : JSON.stringify(value);
  if (kind === "countries") return nameCountry(text);
  const known = kind === "choices" ? undefined : options?.find(([one]) => one === text)?.[1];
  return known ?? { true: t("words.yes"), false: t("words.no") }[text] ?? text;
}

function nameRange({ min, max }: Range): string {
  return formatList([
    ...(min === undefined ? [] : [t("fields.range-min", { min: toNumber(min) })]),
    ...(max === undefined ? [] : [t("fields.range-max", { max: toNumber(max) })]),
  ]);
}
