import { describe, expect, it } from "vitest";
import { toStatusError, toStatusMeaning } from "../../../../adapters/shopify/admin/http-status.ts";

const NOW_MS = 1_700_000_000_000;

describe("toStatusMeaning", () => {
  it.each([
    ["throttled", [429]],
    ["soon", [204, 408, 409, 421, 425, 430, 500, 501, 502, 503, 504, 520, 525, 530, 599]],
    // Somebody has to act: the merchant of a frozen shop, or whoever set the app up. Unknown statuses are no reason to
    // give up on an order.
    ["later", [301, 302, 307, 308, 402, 403, 404, 407, 410, 418, 423, 424, 426, 451, 460, 499]],
    ["never", [400, 405, 406, 411, 413, 414, 415, 422, 431]],
  ] as const)("is %s", (meaning, statuses) => {
    expect(statuses.map((status) => [status, toStatusMeaning(status)])).toEqual(
      statuses.map((status) => [status, meaning]),
    );
  });

  it("has an error for every status that HTTP allows", () => {
    const statuses = Array.from({ length: 500 }, (_, index) => 100 + index);
    const codes = new Map(
      statuses.map((status) => {
        const { code, retryable } = toStatusError({ status, retryAfterMs: undefined }, NOW_MS);
        return [toStatusMeaning(status), `${code} ${String(retryable)}`] as const;
      }),
    );

    expect(Object.fromEntries(codes)).toEqual({
      throttled: "PLATFORM_THROTTLED true",
      soon: "PLATFORM_UNAVAILABLE true",
      later: "PLATFORM_REFUSED false",
      never: "PLATFORM_CALL_INVALID false",
    });
  });
});

describe("toStatusError", () => {
  it.each([408, 429, 430, 503])("waits as long as Shopify asks with %i", (status) => {
    expect(toStatusError({ status, retryAfterMs: 4_000 }, NOW_MS).retryAtMs).toBe(NOW_MS + 4_000);
  });

  it("says who answered, and why", () => {
    const { message } = toStatusError({ status: 402, retryAfterMs: undefined }, NOW_MS);

    expect(message).toBe("Shopify returned 402: the shop's plan is frozen");
  });
});
