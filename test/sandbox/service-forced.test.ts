import { once } from "node:events";
import { request as httpsRequest } from "node:https";
import { describe, expect, it } from "vitest";
import { createVerificationClient } from "../../src/service/client.ts";
import { MAX_RESPONSE_BYTES } from "../../src/service/send-once.ts";
import { createLocalEngine } from "../../src/engine/engine.ts";
import { createScreener } from "../../src/screening/screener.ts";
import { ALL_GROUPS } from "../../src/engine/signals/all-signals.ts";
import { verificationResultSchema } from "../../src/order/result.ts";
import { orderWith, PLAIN_ORDER } from "../engine/sample-order.ts";
import { createSelfSigned } from "./self-signed.ts";
import { KEY, start, verify, withEmail } from "./service-stage.ts";
import { until } from "../support/until.ts";

const CODES = ALL_GROUPS.flatMap(({ signals }) => signals.map(({ code }) => code));

interface ForcedBody {
  readonly message?: string;
  readonly sandbox?: object;
  readonly data: {
    readonly riskScore: number;
    readonly riskLevel: string;
    readonly riskFactors: readonly { readonly description: string }[];
    readonly reasoning: string;
    readonly recommendations: readonly string[];
    readonly sandbox?: object;
  };
}

const read = async (response: Response) => (await response.json()) as ForcedBody;

describe("a forced level or score", () => {
  it.each([
    ["low@risk.example", 12, "low"],
    ["Medium@Risk.Example", 45, "medium"],
    ["high@risk.example", 73, "high"],
    ["critical@risk.example", 93, "critical"],
    ["score-0@risk.example", 0, "low"],
    ["score-100@risk.example", 100, "critical"],
  ])("%s answers %d, %s, and says so", async (customerEmail, riskScore, riskLevel) => {
    const { base } = await start();
    const rule = customerEmail.split("@")[0]?.toLowerCase();

    const response = await verify(base, withEmail(customerEmail));
    const { data } = await read(response);

    expect(data).toMatchObject({ riskScore, riskLevel, reasoning: expect.stringMatching(/^Sandbox: /) });
    expect(data.sandbox).toEqual({ forced: true, by: "customerEmail", rule });
    expect(response.headers.get("x-sandbox-forced")).toBe(`customerEmail; ${rule}`);
    expect(verificationResultSchema.safeParse(data).success).toBe(true);
  });

  it("is the same every time", async () => {
    const { base } = await start();

    const answers = await Promise.all(
      ["score-61@risk.example", "factor.first_order@risk.example", "slow-1@risk.example"].map(
        async (email) => {
          const texts = [];
          for (let count = 0; count < 2; count += 1)
            texts.push(await (await verify(base, withEmail(email))).text());
          return texts;
        },
      ),
    );

    for (const [first, second] of answers) expect(second).toBe(first);
  });
});

describe("a card's last four digits", () => {
  const withCard = (lastFourDigits: string, customerEmail = PLAIN_ORDER.customerEmail) => ({
    body: orderWith({ customerEmail, paymentInfo: { lastFourDigits } }),
  });

  it.each([
    ["9235", 73, "high"],
    ["4954", 93, "critical"],
    ["0019", 93, "critical"],
  ])("%s answers %d, %s, and says so", async (digits, riskScore, riskLevel) => {
    const { base } = await start();

    const { data } = await read(await verify(base, withCard(digits)));

    expect(data).toMatchObject({ riskScore, riskLevel });
    expect(data.sandbox).toEqual({
      forced: true,
      by: "paymentInfo.lastFourDigits",
      rule: `card-${digits}`,
    });
    expect(data.recommendations[0]?.includes("do not ship")).toBe(digits === "0019");
    expect(data.reasoning).toContain(`card that ends in ${digits}`);
  });

  it("are ignored if the email address forces something", async () => {
    const { base } = await start();

    const { data } = await read(await verify(base, withCard("4954", "low@risk.example")));

    expect(data).toMatchObject({ riskLevel: "low", sandbox: { by: "customerEmail", rule: "low" } });
  });

  it.each(["4242", "4444", "1923"])("%s forces nothing", async (digits) => {
    const { base } = await start();

    expect((await read(await verify(base, withCard(digits)))).data).not.toHaveProperty("sandbox");
  });
});

describe("forced factors", () => {
  it("are added to what the order shows", async () => {
    const { base } = await start();
    const [first = "", second = ""] = CODES;
    const plain = (await read(await verify(base, withEmail("jane.sample@risk.example")))).data;

    const email = `factor.${first}.${second}@risk.example`.toLowerCase();
    const { data } = await read(await verify(base, withEmail(email)));

    expect(data.riskFactors.slice(0, 2).map(({ description }) => description)).toEqual([
      `Sandbox: forced. [${first}]`,
      `Sandbox: forced. [${second}]`,
    ]);
    expect(data.riskScore).toBeGreaterThanOrEqual(plain.riskScore + 32);
    expect(data.reasoning).toContain(`Sandbox: ${first}, ${second} added`);
    expect(data.sandbox).toEqual({ forced: true, by: "customerEmail", rule: email.split("@")[0] });
  });

  it("can be any of the engine's signals", async () => {
    const { base } = await start();

    for (const code of CODES) {
      const { data } = await read(await verify(base, withEmail(`factor.${code}@risk.example`)));

      expect(data.riskFactors[0]?.description).toContain(`[${code}]`);
      expect(verificationResultSchema.safeParse(data).success, code).toBe(true);
    }
  });

  it("are refused with 400 if the engine doesn't have the code, naming it", async () => {
    const { base } = await start();

    const response = await verify(base, withEmail("factor.no_such_thing@risk.example"));

    expect(response.status).toBe(400);
    expect((await read(response)).message).toMatch(/^Invalid request body: customerEmail: .*NO_SUCH_THING$/);
  });
});

describe("forced failures", () => {
  it.each([
    [400, true, /^Invalid request body: customerEmail/],
    [401, false, /^Missing API Key$/],
    [402, false, /purchase credits/],
    [403, false, /^Invalid API Key$/],
    [429, false, /^Rate limit exceeded$/],
    [500, true, /^Internal Server Error$/],
    [503, true, /^Service Unavailable$/],
  ])("error-%d@ answers with that status, metered %s", async (status, metered, message) => {
    const { base, service } = await start({ credits: 5 });

    const response = await verify(base, withEmail(`Error-${status}@risk.example`));

    expect(response.status).toBe(status);
    expect(await read(response)).toEqual({
      success: false,
      message: expect.stringMatching(message),
      sandbox: { forced: true, by: "customerEmail", rule: `error-${status}` },
    });
    expect(service.calls).toMatchObject([{ status, metered, rule: `error-${status}` }]);
    expect(service.credits).toBe(metered ? 4 : 5);
  });

  it("error-429@ says when to try again", async () => {
    const nowMs = 1_700_000_000_500;
    const { base } = await start({ now: () => nowMs });

    const response = await verify(base, withEmail("error-429@risk.example"));

    expect(response.headers.get("x-ratelimit-remaining")).toBe("0");
    expect(response.headers.get("x-ratelimit-reset")).toBe("1700000002");
  });

  it("don't apply to a caller that is refused", async () => {
    const { base } = await start({ credits: 5 });

    const response = await verify(base, { ...withEmail("error-500@risk.example"), headers: {} });

    expect(response.status).toBe(401);
    expect(await read(response)).toEqual({ success: false, message: "Missing API Key" });
  });

  it("come after the check for credits and for errors in the order", async () => {
    const { base } = await start({ credits: 1 });
    const body = { ...PLAIN_ORDER, customerEmail: "error-500@risk.example", orderAmount: 0 };

    const wrong = await verify(base, { body });
    const broke = await verify(base, withEmail("high@risk.example"));

    expect([wrong.status, broke.status]).toEqual([400, 402]);
    expect((await read(wrong)).message).toContain("orderAmount");
  });
});

describe("broken answers", () => {
  it("malformed@ answers 200 with JSON that breaks off", async () => {
    const { base, service } = await start();

    const response = await verify(base, withEmail("malformed@risk.example"));

    expect(response.status).toBe(200);
    expect(response.headers.get("x-sandbox-forced")).toBe("customerEmail; malformed");
    await expect(response.json()).rejects.toThrow(SyntaxError);
    expect(service.calls).toMatchObject([{ status: 200, metered: true, riskLevel: undefined }]);
  });

  it("truncated@ announces more than it sends", async () => {
    const { base } = await start();

    const response = await verify(base, withEmail("truncated@risk.example"));

    expect(response.status).toBe(200);
    await expect(response.text()).rejects.toThrow("terminated");
  });

  it("oversized@ sends valid JSON that is longer than the client accepts", async () => {
    const { base } = await start();

    const text = await (await verify(base, withEmail("oversized@risk.example"))).text();

    expect(text.length).toBeGreaterThan(4 * MAX_RESPONSE_BYTES);
    expect(verificationResultSchema.safeParse((JSON.parse(text) as ForcedBody).data).success).toBe(true);
  });

  it("html@ sends a page", async () => {
    const { base } = await start();

    const response = await verify(base, withEmail("html@risk.example"));

    expect(response.status).toBe(200);
    expect(response.headers.get("content-type")).toMatch(/^text\/html/);
    expect(await response.text()).toMatch(/^<!doctype html>/);
  });

  it("redirect@ points to a path that doesn't exist", async () => {
    const { base } = await start();

    const response = await verify(base, withEmail("redirect@risk.example"));
    const location = new URL(response.headers.get("location") ?? "", base);

    expect(response.status).toBe(302);
    expect(location.origin).toBe(base.origin);
    expect((await fetch(location, { headers: KEY })).status).toBe(404);
  });

  it.each(["unknown-level", "wrong-shape"])("%s@ isn't a complete result", async (rule) => {
    const { base } = await start();

    const { data } = await read(await verify(base, withEmail(`${rule}@risk.example`)));

    expect(verificationResultSchema.safeParse(data).success).toBe(false);
  });
});

describe("forced delays and disconnections", () => {
  it("slow-250@ answers a quarter of a second later", async () => {
    const { base } = await start();
    const startedAt = performance.now();

    const response = await verify(base, withEmail("slow-250@risk.example"));

    expect(response.status).toBe(200);
    // Timers count whole milliseconds.
    expect(performance.now() - startedAt).toBeGreaterThanOrEqual(249);
    expect((await read(response)).data.sandbox).toMatchObject({ rule: "slow-250" });
  });

  it.each(["slow-60001", "slow-1.5", "slow--1", "slow-", "slow-007"])("%s@ is in no table", async (name) => {
    const { base } = await start();

    const { data } = await read(await verify(base, withEmail(`${name}@risk.example`)));

    expect(data).not.toHaveProperty("sandbox");
  });

  it("timeout@ never answers, and costs a credit", async () => {
    const { base, service } = await start({ credits: 5 });
    const caller = new AbortController();
    const call = verify(base, { ...withEmail("timeout@risk.example"), signal: caller.signal });
    const ended = expect(call).rejects.toThrow();
    await until(() => expect(service.credits).toBe(4));

    // A later order is answered in the meantime.
    expect((await verify(base)).status).toBe(200);
    expect(service.calls.map(({ status }) => status)).toEqual([null, 200]);
    caller.abort();
    await ended;
  });

  it.each([
    ["reset", "ECONNRESET", 4],
    ["reset-before", "UND_ERR_SOCKET", 5],
  ])("%s@ ends the connection (%s) and leaves %d credits", async (rule, code, left) => {
    const { base, service } = await start({ credits: 5 });

    await expect(verify(base, withEmail(`${rule}@risk.example`))).rejects.toMatchObject({ cause: { code } });

    expect(service.credits).toBe(left);
    expect(service.calls).toMatchObject([{ status: null, metered: left === 4, rule }]);
    expect((await verify(base)).status).toBe(200);
  });

  it("reset@ ends a TLS connection, too", async () => {
    const tls = createSelfSigned();
    const { base } = await start({ tls });
    const request = httpsRequest(new URL("/api/sandbox/order-verification", base), {
      method: "POST",
      headers: { ...KEY, "content-type": "application/json" },
      ca: tls.cert,
    });
    request.end(JSON.stringify(orderWith({ customerEmail: "reset@risk.example" })));

    await expect(once(request, "response")).rejects.toMatchObject({ code: "ECONNRESET" });
  });
});

describe("a decision made without the service", () => {
  it.each(["error-401", "reset", "high", "score-93", "timeout"])("ignores %s@", async (rule) => {
    const { base, service } = await start();
    if (!/^error|^reset/.test(rule)) await service.close();
    const screener = createScreener({ service: { url: base, apiKey: KEY["x-api-key"] }, now: Date.now });

    const check = await screener.check(orderWith({ customerEmail: `${rule}@risk.example` }), {
      // A refusal ends the wait. Without an answer, calls are repeated until the deadline.
      deadlineMs: rule === "error-401" ? 30_000 : 1_000,
    });
    await screener.close();

    // Nothing speaks against the order, but that isn't "low" while a service could say so. A call that was cut off is
    // made once more, seconds later. Without an answer, one may be under way at the deadline.
    const status = { "error-401": /^degraded$/, reset: /^pending$/ }[rule] ?? /^degraded$|^pending$/;
    // A refused key isn't an outage: nothing ships until somebody corrects it.
    const action = rule === "error-401" ? "hold" : "allow";
    expect(check).toMatchObject({ action, riskLevel: null, result: null });
    expect(check.status).toMatch(status);
  });

  it("ignores the cards", () => {
    const judge = (lastFourDigits: string) =>
      createLocalEngine({ now: () => 0 }).assess(orderWith({ paymentInfo: { lastFourDigits } }));

    expect(judge("4954")).toEqual(judge("8821"));
  });
});

describe("the service's client with the sandbox's failures", () => {
  it.each([
    ["error-400", "VERIFICATION_REFUSED"],
    ["error-401", "VERIFICATION_UNAUTHORIZED"],
    ["error-402", "VERIFICATION_NO_CREDITS"],
    ["error-403", "VERIFICATION_FORBIDDEN"],
    ["error-429", "VERIFICATION_RATE_LIMITED"],
    ["error-500", "VERIFICATION_FAILED"],
    ["error-503", "VERIFICATION_FAILED"],
    ["timeout", "VERIFICATION_TIMEOUT"],
    ["slow-5000", "VERIFICATION_TIMEOUT"],
    ["reset", "VERIFICATION_INTERRUPTED"],
    ["reset-before", "VERIFICATION_INTERRUPTED"],
    ["malformed", "VERIFICATION_MALFORMED"],
    ["truncated", "VERIFICATION_INTERRUPTED"],
    ["oversized", "VERIFICATION_MALFORMED"],
    ["html", "VERIFICATION_MALFORMED"],
    ["redirect", "VERIFICATION_MALFORMED"],
    ["unknown-level", "VERIFICATION_MALFORMED"],
  ])("turns %s@ into %s", async (rule, code) => {
    const { base } = await start();
    const client = createVerificationClient({
      url: base,
      apiKey: KEY["x-api-key"],
      organization: "sandbox",
      // Short where it should run out, and long elsewhere because of busy machines.
      timeoutMs: code === "VERIFICATION_TIMEOUT" ? 2_500 : 30_000,
    });

    await expect(client.verify(orderWith({ customerEmail: `${rule}@risk.example` }))).rejects.toMatchObject({
      code,
    });
    await client.close();
  });

  it("reads the level of wrong-shape@, which is enough for an answer", async () => {
    const { base } = await start();
    const client = createVerificationClient({
      url: base,
      apiKey: KEY["x-api-key"],
      organization: "sandbox",
    });

    const { result } = await client.verify(orderWith({ customerEmail: "wrong-shape@risk.example" }));
    await client.close();

    expect(result).toEqual({
      riskLevel: "high",
      riskScore: 61,
      riskFactors: [],
      reasoning: "",
      recommendations: [],
    });
  });
});
