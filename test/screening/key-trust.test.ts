import { describe, expect, it, vi } from "vitest";
import { createKeyTrust } from "../../src/screening/key-trust.ts";

const START = Date.UTC(2026, 10, 20, 12);
const never = new AbortController().signal;

function setUp() {
  let nowMs = START;
  const trust = createKeyTrust(() => nowMs);
  const under: ((answered: boolean, remaining?: number) => void)[] = [];
  const begin = (keyId = "k", tenant = "shop"): void =>
    void trust.enter({ keyId, tenant }, never).then(
      (leave) => under.push(leave),
      () => undefined,
    );
  return { under, begin, pass: (ms: number) => (nowMs += ms), trust };
}

/** Lets resolved promises run their callbacks. */
const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe("createKeyTrust", () => {
  it("allows two calls until one is answered, and then all", async () => {
    const { under, begin } = setUp();
    for (let call = 0; call < 10; call += 1) begin();
    await settled();
    expect(under).toHaveLength(2);

    under[0]?.(true);
    await settled();
    expect(under).toHaveLength(10);
  });

  it("replaces a failed call with the next one", async () => {
    const { under, begin } = setUp();
    for (let call = 0; call < 5; call += 1) begin();
    await settled();

    under[0]?.(false);
    under[0]?.(false);
    await settled();
    expect(under).toHaveLength(3);
  });

  it("trusts a key for five minutes after an answer, and each key separately", async () => {
    const { under, begin, pass } = setUp();
    begin();
    await settled();
    under[0]?.(true);
    for (let call = 0; call < 3; call += 1) begin("other");
    await settled();
    expect(under).toHaveLength(3);

    for (let call = 0; call < 4; call += 1) begin();
    await settled();
    expect(under).toHaveLength(7);
    pass(5 * 60_000);
    begin();
    await settled();
    expect(under, "four are under way, which is more than two").toHaveLength(7);
  });

  it("doesn't let two hanging calls of one tenant block others, and limits calls of many tenants", async () => {
    const { under, begin } = setUp();
    for (let call = 0; call < 5; call += 1) begin("k", "hanging");
    await settled();
    expect(under).toHaveLength(2);
    for (let shop = 0; shop < 20; shop += 1) begin("k", `shop-${shop}`);
    await settled();

    expect(under).toHaveLength(8);
  });

  it("rejects callers that give up", async () => {
    const { under, begin, trust } = setUp();
    begin();
    begin();
    const leaving = new AbortController();
    const waiting = trust.enter({ keyId: "k", tenant: "shop" }, leaving.signal);
    await settled();
    leaving.abort(new Error("closing"));

    await expect(waiting).rejects.toThrow("closing");
    begin();
    under[0]?.(false);
    await settled();
    expect(under).toHaveLength(3);
  });

  it("allows two again after a pause, until a call from after it is answered", async () => {
    const { under, begin, trust } = setUp();
    begin();
    await settled();
    under[0]?.(true);
    for (let call = 0; call < 3; call += 1) begin();
    await settled();
    expect(under).toHaveLength(4);

    trust.notePause("k");
    // These were under way before the pause.
    for (const leave of under.slice(1)) leave(true);
    for (let call = 0; call < 5; call += 1) begin();
    await settled();
    expect(under).toHaveLength(6);
    under[4]?.(true);
    await settled();
    expect(under).toHaveLength(9);
  });

  it("allows as many calls at once as the rate limit still does, but two in any case", async () => {
    const { under, begin } = setUp();
    for (let call = 0; call < 20; call += 1) begin();
    await settled();
    under[0]?.(true, 5);
    await settled();
    expect(under, "five under way").toHaveLength(6);
    under[1]?.(true, 4);
    under[2]?.(false);
    await settled();
    expect(under, "four under way").toHaveLength(7);

    for (const leave of under.slice(3)) leave(true, 0);
    await settled();
    expect(under, "two under way").toHaveLength(9);
    under[7]?.(true, 100);
    await settled();
    expect(under).toHaveLength(20);
  });

  it("lets a tenant with fewer calls under way begin first", async () => {
    const { under, begin, trust } = setUp();
    begin();
    await settled();
    under[0]?.(true, 20);
    for (let call = 0; call < 40; call += 1) begin();
    await settled();
    expect(under).toHaveLength(21);
    const begun = vi.fn<() => void>();
    void trust.enter({ keyId: "k", tenant: "other" }, never).then(begun);
    await settled();
    expect(begun).not.toHaveBeenCalled();

    under[1]?.(true, 20);
    await settled();
    expect(begun).toHaveBeenCalled();
    expect(under).toHaveLength(21);
  });

  it("takes an answer as a sign that the service works, except for half a minute after a failed call", async () => {
    const { under, begin, pass, trust } = setUp();
    const answer = async (): Promise<void> => {
      begin();
      await settled();
      under.pop()?.(true);
    };
    expect(trust.seenHealthyAtMs("k")).toBe(0);
    await answer();
    expect(trust.seenHealthyAtMs("k")).toBe(START);

    pass(1);
    trust.noteFailure("k");
    expect(trust.seenHealthyAtMs("k")).toBe(0);
    pass(29_999);
    await answer();
    expect(trust.seenHealthyAtMs("k")).toBe(0);
    pass(1);
    expect(trust.seenHealthyAtMs("k")).toBe(START + 30_000);

    trust.noteFailure("k");
    pass(60_000);
    expect(trust.seenHealthyAtMs("k"), "not seen since").toBe(0);
  });
});
