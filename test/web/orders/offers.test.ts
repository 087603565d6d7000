import { describe, expect, it } from "vitest";
import { toOffers } from "../../../web/data/orders/offers.ts";

const yes = { possible: true, consequence: "Does it." };
const no = { possible: false, consequence: "Not possible." };
const HELD = {
  ended: null,
  state: "review",
  actions: { approve: yes, decline: yes, handle: no, recheck: yes },
} as const;
const SEEN = { cancelled: false, fulfilled: false, adminUrl: "https://admin.example/orders/1" };

describe("what a person can do about an order", () => {
  it.each([
    ["everything while it goes on", HELD, SEEN, ["approve", "decline", "recheck"], null],
    ["everything while the platform is asked", HELD, null, ["approve", "decline", "recheck"], null],
    [
      "a refund once it has shipped",
      HELD,
      { ...SEEN, fulfilled: true },
      ["handle", "recheck"],
      SEEN.adminUrl,
    ],
    ["the same if Holdfast knows", { ...HELD, ended: "shipped" }, SEEN, ["handle", "recheck"], SEEN.adminUrl],
    [
      "only a refund if nobody waits for a decision",
      { ...HELD, state: "settled", ended: "shipped" },
      SEEN,
      ["recheck"],
      SEEN.adminUrl,
    ],
    ["nothing once it's canceled", HELD, { ...SEEN, cancelled: true }, [], null],
    [
      "nothing if nothing is possible",
      { ...HELD, actions: { approve: no, decline: no, handle: no, recheck: no } },
      SEEN,
      [],
      null,
    ],
  ] as const)("is %s", (_what, order, observed, acts, refundUrl) => {
    expect(toOffers(order, observed)).toMatchObject({ acts, refundUrl });
  });

  it("never links to something that isn't a page", () => {
    const observed = { ...SEEN, fulfilled: true, adminUrl: "javascript:alert(1)" };

    expect(toOffers(HELD, observed).refundUrl).toBeNull();
  });
});
