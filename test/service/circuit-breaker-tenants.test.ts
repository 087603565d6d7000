import { describe, expect, it } from "vitest";
import type { ErrorCode } from "../../src/base/errors.ts";
import { blocked, errorOf, ALLOWED, setUpBreaker, START_MS } from "./circuit-breaker-clock.ts";

const CONTENT_CODES: ErrorCode[] = [
  "VERIFICATION_FAILED",
  "VERIFICATION_TIMEOUT",
  "VERIFICATION_INTERRUPTED",
  "VERIFICATION_MALFORMED",
];
const [A, B, C, D] = ["a", "b", "c", "d"].map((tenant) => ({ tenant }));

describe("tenants that share a key", () => {
  it.each(CONTENT_CODES)("aren't blocked when the orders of one of them end as %s", (code) => {
    const { check, failTimes, pass } = setUpBreaker();
    check(B);

    failTimes(50, code, A);

    expect(check(A)).toEqual(blocked(code, START_MS + 5_000));
    expect([check(B), check(B), check(C)]).toEqual([ALLOWED, ALLOWED, ALLOWED]);
    pass(5_000);
    expect([check(A).allowed, check(A).allowed], "a trial of its own").toEqual([true, false]);
    expect(check(B)).toEqual(ALLOWED);
  });

  it("aren't blocked, even one that asks for the first time while the only other one fails", () => {
    const { check, failTimes } = setUpBreaker();

    failTimes(50, "VERIFICATION_FAILED", A);

    expect(check(B)).toEqual(ALLOWED);
  });

  it("aren't blocked, however many fail, as long as the service answers one of them", () => {
    const { check, report, failTimes } = setUpBreaker();

    for (let round = 0; round < 10; round += 1) {
      for (const who of [A, B, C]) failTimes(1, "VERIFICATION_FAILED", who);
      report(undefined, undefined, D);
    }

    expect(check(D)).toEqual(ALLOWED);
    expect(check(A)).toMatchObject({ allowed: false });
  });

  it("are blocked together when the service fails on three of them and answers none", () => {
    const { check, failTimes } = setUpBreaker();
    for (const who of [A, B, C, D]) check(who);

    failTimes(3, "VERIFICATION_TIMEOUT", A);
    failTimes(2, "VERIFICATION_TIMEOUT", B);
    expect(check(D), "two of four are not the service").toEqual(ALLOWED);
    failTimes(1, "VERIFICATION_FAILED", C);

    for (const who of [A, B, C, D]) {
      expect(check(who)).toEqual(blocked("VERIFICATION_FAILED", START_MS + 5_000));
    }
  });

  it("are blocked together when only two asked in the last minute and both fail", () => {
    const { check, failTimes, pass } = setUpBreaker();
    check(C);
    pass(60_000);
    check(A);
    check(B);

    failTimes(4, "VERIFICATION_FAILED", A);
    failTimes(1, "VERIFICATION_FAILED", B);

    expect(check(C)).toEqual(blocked("VERIFICATION_FAILED", START_MS + 65_000));
  });

  it("are blocked together, even if others ask with another key", () => {
    const { check, failTimes } = setUpBreaker();
    check({ ...C, keyId: "other" });

    failTimes(4, "VERIFICATION_FAILED", A);
    failTimes(1, "VERIFICATION_FAILED", B);

    expect(check(C)).toMatchObject({ allowed: false });
    expect(check({ ...C, keyId: "other" })).toEqual(ALLOWED);
  });

  it("aren't blocked by three failures alone", () => {
    const { check, failTimes } = setUpBreaker();

    for (const who of [A, B, C]) failTimes(1, "VERIFICATION_FAILED", who);

    expect(check(A)).toEqual(ALLOWED);
  });

  it("continue together once one trial is answered, whatever each had failed before", () => {
    const { begin, check, failTimes, pass } = setUpBreaker();
    for (const who of [A, B, C]) failTimes(3, "VERIFICATION_FAILED", who);
    pass(5_000);
    const endTrial = begin(D);
    expect([check(A).allowed, check(D).allowed]).toEqual([false, false]);

    endTrial();

    expect([A, B, C, D].map((who) => check(who).allowed)).toEqual([true, true, true, true]);
  });

  it("continue together even if one of them was blocked before the others", () => {
    const { begin, check, failTimes, pass } = setUpBreaker();
    failTimes(5, "VERIFICATION_FAILED", A);
    pass(4_000);
    for (const who of [B, C]) failTimes(1, "VERIFICATION_FAILED", who);
    pass(5_000);

    begin(D)();

    expect([check(A), check(A)], "no trial of its own is left to make").toEqual([ALLOWED, ALLOWED]);
  });

  it("wait longer together when the trial fails, and calls that were under way count for none of them", () => {
    const { begin, check, failTimes, pass, now } = setUpBreaker();
    for (const who of [A, B, C]) failTimes(3, "VERIFICATION_FAILED", who);
    failTimes(10, "VERIFICATION_FAILED", D);
    pass(5_000);

    begin(D)(errorOf("VERIFICATION_TIMEOUT"));
    expect(check(A)).toEqual(blocked("VERIFICATION_TIMEOUT", now() + 10_000));
    pass(10_000);
    begin(A)();

    expect(check(D), "its failures were those of the outage").toEqual(ALLOWED);
  });

  it("are all blocked when the service can't be reached, whichever tenant found out", () => {
    const { check, failTimes } = setUpBreaker();

    failTimes(5, "VERIFICATION_UNREACHABLE", A);

    const answer = blocked("VERIFICATION_UNREACHABLE", START_MS + 5_000);
    expect([check(A), check(B)]).toEqual([answer, answer]);
  });

  it("aren't blocked by one tenant's failures together with a single call that reached nothing", () => {
    const { check, failTimes } = setUpBreaker();

    failTimes(4, "VERIFICATION_FAILED", A);
    failTimes(1, "VERIFICATION_UNREACHABLE", B);

    expect([check(A), check(B)]).toEqual([ALLOWED, ALLOWED]);
  });

  it("keep their own block when a key-wide block ends", () => {
    const { begin, check, report, failTimes, pass } = setUpBreaker();
    failTimes(5, "VERIFICATION_FAILED", A);
    report(errorOf("VERIFICATION_FORBIDDEN"), undefined, B);
    pass(60_000);

    begin(B)();

    expect(check(B)).toEqual(ALLOWED);
    expect([check(A).allowed, check(A).allowed]).toEqual([true, false]);
  });
});

describe("a trial", () => {
  it("belongs to the key and the tenant at once, and ends for both", () => {
    const { begin, check, report, failTimes, pass } = setUpBreaker();
    failTimes(5, "VERIFICATION_FAILED", A);
    report(undefined, undefined, D);
    for (const who of [B, C, D]) failTimes(2, "VERIFICATION_FAILED", who);
    pass(5_000);
    begin(A)(errorOf("VERIFICATION_TIMEOUT"));
    pass(10_000);
    begin(B)();

    expect([check(A).allowed, check(A).allowed], "a trial of its own").toEqual([true, false]);
  });

  it("is left to other order states for fifteen seconds by the one that the service failed on last", () => {
    const { begin, check, failTimes, pass } = setUpBreaker();
    begin({ orderState: "poison" })(errorOf("VERIFICATION_TIMEOUT"));
    failTimes(4);
    pass(5_000);

    expect(check({ orderState: "poison" })).toEqual(blocked("VERIFICATION_FAILED", START_MS + 20_000));
    begin()();

    expect(check({ orderState: "poison" }), "as free as any other").toEqual(ALLOWED);
  });

  it("goes to such an order state if no other comes, so that a quiet shop finds out too", () => {
    const { check, failTimes, pass } = setUpBreaker();
    failTimes(5, "VERIFICATION_FAILED", { orderState: "only" });

    pass(19_999);
    expect(check({ orderState: "only" }).allowed).toBe(false);
    pass(1);

    expect(check({ orderState: "only" })).toEqual(ALLOWED);
  });

  it("goes immediately to an order state that was answered since, or never reached the service", () => {
    const { begin, check, failTimes, pass } = setUpBreaker();
    begin({ orderState: "answered" })(errorOf("VERIFICATION_TIMEOUT"));
    begin({ orderState: "answered" })();
    failTimes(5, "VERIFICATION_UNREACHABLE", { orderState: "unsent" });
    pass(5_000);

    begin({ orderState: "unsent" })(errorOf("VERIFICATION_ABORTED"));

    expect(check({ orderState: "answered" })).toEqual(ALLOWED);
  });

  it("isn't used by a failing order state to prolong a block for everybody", () => {
    const { begin, check, failTimes, report, pass } = setUpBreaker();
    failTimes(1, "VERIFICATION_FAILED", { orderState: "poison" });
    report(errorOf("VERIFICATION_NO_CREDITS"));
    pass(180_000);

    expect(check({ orderState: "poison" }).allowed).toBe(false);
    begin()();

    expect(check()).toEqual(ALLOWED);
  });
});

describe("circuits", () => {
  it("reports every tenant that asked, even one that is blocked because of another", () => {
    const { breaker, check, report } = setUpBreaker();
    check(A);
    check(B);
    expect(breaker.circuits()).toEqual([
      { tenant: "a", blocked: false },
      { tenant: "b", blocked: false },
    ]);

    report(errorOf("VERIFICATION_NO_CREDITS"), undefined, B);

    expect(breaker.circuits()).toContainEqual({ tenant: "a", blocked: true });
  });

  it("reports that a block is over even if nobody asked since", () => {
    const { breaker, failTimes, pass } = setUpBreaker();
    failTimes(5, "VERIFICATION_FAILED", A);
    expect(breaker.circuits()).toEqual([{ tenant: "a", blocked: true }]);

    pass(5_000);

    expect(breaker.circuits()).toEqual([{ tenant: "a", blocked: false }]);
  });

  it("reports a tenant once, by its current key", () => {
    const { breaker, check, report } = setUpBreaker();
    check({ ...A, keyId: "old" });
    report(errorOf("VERIFICATION_FORBIDDEN"), undefined, { ...A, keyId: "old" });

    check({ ...A, keyId: "new" });

    expect(breaker.circuits()).toEqual([{ tenant: "a", blocked: false }]);
  });

  it("matches a tenant's own circuit, as peek does", () => {
    const { breaker, peek, check, failTimes } = setUpBreaker();
    check(B);
    failTimes(5, "VERIFICATION_FAILED", A);

    expect([peek(A).allowed, peek(B).allowed]).toEqual([false, true]);
    expect(breaker.circuits()).toContainEqual({ tenant: "b", blocked: false });
    expect(breaker.circuits()).toContainEqual({ tenant: "a", blocked: true });
  });
});
