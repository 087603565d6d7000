import { describe, expect, it } from "vitest";
import { toDetailContext } from "../../../../adapters/shopify/mapping/order-context.ts";
import { createLocalEngine } from "../../../../src/engine/engine.ts";
import type { MappedOrder, OrderContext } from "../../../../src/adapter-kit.ts";
import { toSendable } from "../../../../src/policy/sendable.ts";
import { parsePolicy } from "../../../../src/policy/policy.ts";
import { decideOn } from "../../../../src/screening/judge-order.ts";
import { fixtureBody, fixtureNames, receiveOrder } from "../fixtures.ts";

/** A rule for each kind of thing that a shop says. */
const POLICY = parsePolicy({
  rules: [
    { name: "Shopify says cancel", when: { platformRisk: ["cancel"] }, then: { action: "hold" } },
    { name: "AVS", when: { avs: ["N"] }, then: { action: "hold" } },
    { name: "gift card", when: { giftCard: true }, then: { action: "hold" } },
    { name: "three or more", when: { quantity: 3 }, then: { action: "tag", tags: ["look"] } },
    { name: "discount", when: { discount: true }, then: { action: "tag", tags: ["discount"] } },
    { name: "covered", when: { protect: ["active"] }, then: { action: "allow" } },
  ],
});
const engine = createLocalEngine();

/** What the Admin API may add to one of them. No fixture for it is published. */
const CARD = { kind: "SALE", status: "SUCCESS", authorizationExpiresAt: null };
const DETAILS = {
  __typename: "CardPaymentDetails",
  company: null,
  number: null,
  name: null,
  expirationMonth: null,
  expirationYear: null,
  bin: null,
  wallet: null,
} as const;
const ADMIN: readonly (readonly [what: string, detail: Parameters<typeof toDetailContext>[0]])[] = [
  [
    "the bank and Shopify object",
    {
      transactions: [
        {
          ...CARD,
          paymentDetails: { ...DETAILS, avsResultCode: "N", cvvResultCode: "N" },
        },
      ],
      risk: { recommendation: "CANCEL", assessments: [] },
    },
  ],
  [
    "the bank and Shopify agree",
    {
      transactions: [
        {
          ...CARD,
          paymentDetails: {
            ...DETAILS,
            avsResultCode: "Y",
            cvvResultCode: "M",
            wallet: "APPLE_PAY",
          },
        },
      ],
      risk: { recommendation: "ACCEPT", assessments: [] },
      shopifyProtect: { status: "ACTIVE", eligibility: { status: "ELIGIBLE" } },
    },
  ],
];
const ENRICHED = "33-docs-rest-2026-07-phone-discount.json";

interface Row {
  readonly order: string;
  readonly mapped: MappedOrder;
}

function listRows(): readonly Row[] {
  return fixtureNames("shopify").flatMap((name) => {
    const { mapped } = receiveOrder(fixtureBody("shopify", name));
    const order = name.replace(/\.json$/, "");
    const enriched = name !== ENRICHED ? [] : ADMIN;
    return [
      { order, mapped },
      ...enriched.map(([what, detail]) => ({
        order: `${order}, ${what}`,
        mapped: { ...mapped, context: { ...mapped.context, ...toDetailContext(detail) } },
      })),
    ];
  });
}

function toSkip(mapped: MappedOrder): string | null {
  const sendable = toSendable(mapped, POLICY);
  return "skipReason" in sendable ? sendable.skipReason : null;
}

function toRead(context: OrderContext = {}): string {
  const shown = Object.entries(context).map(([field, value]) => {
    const isCounted = field.endsWith("Tags") || field === "shippingMethods";
    if (typeof value !== "object") return `${field} ${String(value)}`;
    if (isCounted) return `${field} (${value.length})`;
    const texts = value.map((entry) => (typeof entry === "string" ? entry : JSON.stringify(entry)));
    return `${field} ${texts.join("+") || "none"}`;
  });
  return shown.join(", ");
}

/** Paths of everything that is sent. */
function countFields(value: unknown): number {
  if (typeof value !== "object" || value === null) return value === undefined ? 0 : 1;
  return Object.values(value).reduce<number>((sum, part) => sum + countFields(part), 0);
}

function toLine({ order, mapped }: Row): string {
  const skip = toSkip(mapped);
  const known = mapped.outcome === "screenable" ? mapped.request : mapped.known;
  const judged = engine.assess(known, undefined, mapped.standIns, mapped.context);
  const basis =
    skip === null
      ? ({ kind: "no-service" } as const)
      : ({ kind: "skipped", reason: skip as never, hasService: true } as const);
  const { decision } = decideOn(basis, { mapped, policy: POLICY, policyVersion: 1 }, engine);
  const { contributions, trust } = judged.scorecard;
  const signals = contributions.map(({ code, points }) => `${code} ${points}`).join(", ");
  const sent = skip === null ? `${countFields(known)} fields` : `no: ${skip}`;
  const rules = `${decision.action}: ${decision.reasons.join(", ")}`;
  const made = `${judged.riskScore} ${judged.riskLevel}: ${signals || "nothing"}; trust ${trust}`;
  return `| ${[order, toRead(mapped.context), sent, rules, made].join(" | ")} |`;
}

function toShares(rows: readonly Row[]): readonly string[] {
  const reasons = rows.map(({ mapped }) => toSkip(mapped) ?? "sent");
  const names = [...new Set(reasons)].toSorted();
  return names.map((name) => {
    const count = reasons.filter((reason) => reason === name).length;
    return `| ${name === "sent" ? name : `\`${name}\``} | ${count} | ${((100 * count) / rows.length).toFixed(0)} % |`;
  });
}

function render(): string {
  const rows = listRows();
  const plain = rows.filter(({ order }) => !order.includes(","));
  return [
    "# What Holdfast makes of Shopify's sample orders",
    "",
    "Written by `test/adapters/shopify/mapping/fixture-table.test.ts`, which fails when it is out of date (`vitest -u` writes it",
    "again). The orders are samples that Shopify and others published, 2013 to 2026. *Read* is what the shop says beyond the",
    "request; tags and shipping methods are counted. *Sent* is the request to the service. *Policy* is the decision without a",
    "service under six example rules. *Engine* is the local engine's score. No Admin API answers are published, so two lines",
    "show one order with what a bank and Shopify may add.",
    "",
    "| order | read | sent | policy | engine |",
    "| --- | --- | --- | --- | --- |",
    ...rows.map(toLine),
    "",
    "Orders sent, and each reason not to send one:",
    "",
    "| | orders | share |",
    "| --- | --- | --- |",
    ...toShares(plain),
    "",
    "A `TEST_ORDER`, `CANCELLED` or `ZERO_AMOUNT` order has nothing to check. So does an `IMPORTED` one: a past order that had",
    "shipped when it was added to the shop. `PERSONAL_DATA_NOT_GRANTED` ends once Shopify grants the app access to protected",
    "customer data. The other reasons name what the order lacks; such orders are judged by the local engine.",
    "",
  ].join("\n");
}

describe("docs/reference/shopify-orders.md", () => {
  it("shows what is read, sent, decided and judged for every fixture, and the share of every skip", async () => {
    await expect(render()).toMatchFileSnapshot("../../../../docs/reference/shopify-orders.md");
  });

  it("has an example rule of the policy decide each kind of order", () => {
    const reasons = listRows().map((row) => toLine(row));
    const text = reasons.join("\n");
    for (const name of ["Shopify says cancel", "three or more", "discount"])
      expect(text).toContain(`rule:${name}`);
  });
});
