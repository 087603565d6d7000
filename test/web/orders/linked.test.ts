import { describe, expect, it } from "vitest";
import { type Linked, summarizeLinked } from "../../../web/data/orders/linked.ts";

type Order = Linked["orders"][number];

function link(kind: Linked["links"][number]["kind"], orders: number): Linked["links"][number] {
  return { kind, label: "x", listed: null, orders };
}

function other(links: Order["links"], outcome: Order["outcome"]): Order {
  return {
    orderId: "2",
    name: "#2",
    amount: 1,
    currency: "USD",
    riskLevel: "low",
    buyer: null,
    country: null,
    email: null,
    receivedAt: "2026-01-01T00:00:00.000Z",
    action: "allow",
    outcome,
    links,
  };
}

describe("linked orders in one line", () => {
  it.each([
    ["No linked orders", [], []],
    ["No linked orders", [link("card", 0)], []],
    [
      "3 with this address: 1 declined, 0 charged back",
      [link("mailbox", 1), link("address", 3)],
      [other(["address"], "declined"), other(["address", "mailbox"], "shipped"), other(["address"], "open")],
    ],
    [
      "1 with this card: 0 declined, 1 canceled, 0 charged back",
      [link("card", 1)],
      [other(["card"], "cancelled")],
    ],
    [
      "1 with this phone: 0 declined, 1 charged back",
      [link("address", 2), link("phone", 1)],
      [other(["address"], "declined"), other(["address"], "declined"), other(["phone"], "charged-back")],
    ],
    ["20 or more with this network: 0 declined, 0 charged back", [link("network", 20)], []],
  ] as const)("%s", (line, links, orders) => {
    expect(summarizeLinked({ links, orders })).toBe(line);
  });
});
