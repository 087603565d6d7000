import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  createSandboxService,
  SANDBOX_API_KEY,
  verificationServiceContract,
  type ContractCase,
  type SandboxService,
} from "../../src/testing.ts";
import {
  startBrokenService,
  type PassingAnswer,
  type PassingRequest,
  type PlantedFault,
} from "./broken-service.ts";

const ORGANIZATION = { id: "org_sandbox", slug: "sandbox", name: "Sandbox", role: "owner" as const };

let service: SandboxService;
let url: URL;
let empty: SandboxService;
let emptyUrl: URL;
let limited: SandboxService;
let limitedUrl: URL;

beforeAll(async () => {
  service = createSandboxService();
  empty = createSandboxService({ credits: 0, apiKeys: { empty: { organizations: [ORGANIZATION] } } });
  limited = createSandboxService({
    rateLimit: { limit: 3, windowMs: 3_600_000 },
    apiKeys: { limited: { organizations: [ORGANIZATION] } },
  });
  [url, emptyUrl, limitedUrl] = await Promise.all([service.listen(), empty.listen(), limited.listen()]);
});
afterAll(() => Promise.all([service, empty, limited].map((one) => one.close())));

/** Sends the calls of each key to its service. */
const byKey: typeof fetch = (input, init) => {
  const key = new Headers(init?.headers).get("x-api-key");
  const base = key === "empty" ? emptyUrl : key === "limited" ? limitedUrl : url;
  const { pathname } = new URL(new Request(input).url);
  return fetch(new URL(pathname, base), init);
};

/** Names of the cases that fail. */
async function failuresOf(cases: readonly ContractCase[]): Promise<readonly string[]> {
  const failed: string[] = [];
  for (const { name, run } of cases) await run().catch(() => failed.push(name));
  return failed;
}

const isOrder = ({ path }: PassingRequest): boolean => path.endsWith("/order-verification");
const isList = ({ path }: PassingRequest): boolean => path.endsWith("/organizations/get");

/** A fault in the content of a successful answer to an order. */
function inResult(change: (data: Record<string, unknown>) => object): PlantedFault {
  return {
    answer(answer, request) {
      if (!isOrder(request) || answer.status !== 200) return answer;
      const { data } = JSON.parse(answer.body) as { data: Record<string, unknown> };
      return { ...answer, body: JSON.stringify({ success: true, data: change(data) }) };
    },
  };
}

/** A fault in answers with a status. */
function inStatus(status: number, change: (answer: PassingAnswer) => PassingAnswer): PlantedFault {
  return { answer: (answer) => (answer.status === status ? change(answer) : answer) };
}

/** A fault in how an order is read: the order is changed before it is processed. */
function inOrder(change: (order: Record<string, unknown>) => object): PlantedFault {
  return {
    request(request) {
      if (!isOrder(request)) return request;
      try {
        const order = JSON.parse(request.body) as Record<string, unknown>;
        return { ...request, body: JSON.stringify(Array.isArray(order) ? order : change(order)) };
      } catch {
        return request;
      }
    },
  };
}

const withMessage =
  (message: string) =>
  (answer: PassingAnswer): PassingAnswer => ({
    ...answer,
    body: JSON.stringify({ success: false, message }),
  });
const withKey = (request: PassingRequest): PassingRequest => ({
  ...request,
  headers: { ...request.headers, "x-api-key": SANDBOX_API_KEY },
});
const withoutHeader = (name: string, isMeant: (request: PassingRequest) => boolean): PlantedFault => ({
  answer(answer, request) {
    const headers = Object.fromEntries(Object.entries(answer.headers).filter(([own]) => own !== name));
    return isMeant(request) ? { ...answer, headers } : answer;
  },
});

/** A proper answer, whatever was asked. */
const AGREEMENT = JSON.stringify({
  success: true,
  data: { riskScore: 12, riskLevel: "low", riskFactors: [], reasoning: "Fine.", recommendations: [] },
});

const FAULTS: readonly (readonly [fault: string, planted: PlantedFault, caught: readonly string[]])[] = [
  [
    "accepts no bearer tokens",
    {
      request(request) {
        const { authorization: _taken, ...headers } = request.headers;
        return { ...request, headers };
      },
    },
    ["takes the key as a bearer token"],
  ],
  [
    "asks for no key",
    { request: withKey },
    [
      "lists no organizations without a key",
      "checks no order without a key",
      "lists no organizations for an unknown key",
      "checks no order for an unknown key",
    ],
  ],
  [
    "has another answer when the key is missing",
    inStatus(401, withMessage("Unauthorized")),
    ["lists no organizations without a key", "checks no order without a key"],
  ],
  [
    "has another answer when the key is invalid",
    inStatus(403, withMessage("Forbidden")),
    [
      "lists no organizations for an unknown key",
      "checks no order for an unknown key",
      "checks no order in an organization that the key can't reach",
    ],
  ],
  [
    "checks orders in any organization",
    {
      request: (request) =>
        isOrder(request) ? { ...request, path: "/api/sandbox/order-verification" } : request,
    },
    ["checks no order in an organization that the key can't reach"],
  ],
  [
    "finds organizations only by slug",
    {
      answer: (answer, { path }) =>
        path.includes("org_sandbox") ? { ...answer, status: 404, body: "{}" } : answer,
    },
    ["finds an organization by its id as well as by its slug"],
  ],
  [
    "has its own role",
    {
      answer: (answer, request) =>
        isList(request) ? { ...answer, body: answer.body.replace('"owner"', '"viewer"') } : answer,
    },
    ["lists the organizations of a key"],
  ],
  [
    "has scores above 100",
    inResult((data) => ({ ...data, riskScore: 101, riskLevel: "critical" })),
    ["answers a score from 0 to 100 and one of the four levels", "answers a score in the band of its level"],
  ],
  [
    "has a fifth level",
    inResult((data) => ({ ...data, riskLevel: "severe" })),
    ["answers a score from 0 to 100 and one of the four levels", "answers a score in the band of its level"],
  ],
  [
    "has a level from another band",
    inResult((data) => ({ ...data, riskScore: 20, riskLevel: "high" })),
    ["answers a score in the band of its level"],
  ],
  [
    "has its own category",
    inResult((data) => ({
      ...data,
      riskFactors: [{ factor: "A", severity: "low", description: "B", category: "weather" }],
    })),
    ["answers factors of the documented shape"],
  ],
  [
    "has factors without severity",
    inResult((data) => ({ ...data, riskFactors: [{ factor: "A", description: "B", category: "customer" }] })),
    ["answers factors of the documented shape"],
  ],
  [
    "leaves out its reasoning",
    inResult(({ reasoning: _left, ...data }) => data),
    ["answers its reasoning and recommendations as text"],
  ],
  [
    "has one recommendation instead of a list",
    inResult((data) => ({ ...data, recommendations: "Look at it." })),
    ["answers its reasoning and recommendations as text"],
  ],
  [
    "answers one order at a time",
    (() => {
      // By the orders that the suite sends together, so that the fault shows in whatever order they arrive.
      let isFirst = true;
      return {
        answer(answer, request) {
          if (!isOrder(request) || !request.body.includes('"contract-')) return answer;
          if (!isFirst) return { ...answer, status: 409 };
          isFirst = false;
          return answer;
        },
      };
    })(),
    ["answers orders that come at the same time"],
  ],
  [
    "answers GET like POST",
    { answer: (answer) => (answer.status === 405 ? { ...answer, status: 200 } : answer) },
    ["does not check orders by GET"],
  ],
  [
    "sends failures as text",
    inStatus(401, (answer) => ({ ...answer, headers: { ...answer.headers, "content-type": "text/plain" } })),
    ["labels every answer as JSON, failures too"],
  ],
  [
    "keeps the rate limit from callers without a key",
    withoutHeader("x-ratelimit-limit", ({ headers }) => !("x-api-key" in headers)),
    ["sends the rate limit with every answer"],
  ],
  [
    "gives the reset in seconds from now",
    { answer: (answer) => ({ ...answer, headers: { ...answer.headers, "x-ratelimit-reset": "60" } }) },
    ["sends the rate limit with every answer"],
  ],
  [
    "accepts anything as a currency",
    inOrder((order) => ("currency" in order ? { ...order, currency: "USD" } : order)),
    ["refuses a currency of two letters", "refuses a currency of four letters"],
  ],
  [
    "cuts names that are too long",
    inOrder((order) =>
      "customerName" in order
        ? { ...order, customerName: String(order["customerName"]).slice(0, 255) }
        : order,
    ),
    ["takes customerName of 255 characters, and refuses one more"],
  ],
  [
    "counts code points",
    inOrder((order) => {
      const name = String(order["customerName"]);
      return name.length > 255 && Array.from(name).length <= 255 ? { ...order, customerName: "Jane" } : order;
    }),
    ["refuses a customerName of 128 emoji, which are 256 characters"],
  ],
  [
    "counts bytes",
    inOrder((order) =>
      Buffer.byteLength(String(order["customerName"])) > 255 ? { ...order, customerName: undefined } : order,
    ),
    ["takes every limited text at its limit in emoji, each of which counts as two characters"],
  ],
  [
    "accepts names of at most 200 characters",
    inOrder((order) =>
      String(order["customerName"]).length > 200 ? { ...order, customerName: undefined } : order,
    ),
    ["takes customerName of 255 characters, and refuses one more"],
  ],
  [
    "ships without a billing address",
    inOrder((order) => ({ ...order, billingAddress: order["billingAddress"] ?? order["shippingAddress"] })),
    ["refuses an order without billingAddress"],
  ],
  [
    "rounds pieces up",
    inOrder((order) => {
      if (!Array.isArray(order["items"])) return order;
      const items = (order["items"] as { quantity?: number }[]).map(({ quantity, ...item }) => ({
        ...item,
        ...(quantity === undefined ? {} : { quantity: Math.ceil(quantity) }),
      }));
      return { ...order, items };
    }),
    ["refuses an item with a quantity of one half"],
  ],
  [
    "accepts text as a number",
    inOrder((order) =>
      "returnedOrders" in order ? { ...order, returnedOrders: Number(order["returnedOrders"]) } : order,
    ),
    ["refuses returnedOrders that is text"],
  ],
  [
    "demands items",
    inOrder((order) => ((order["items"] as unknown[] | undefined)?.length === 0 ? {} : order)),
    ["takes no items, and an order time with an offset"],
  ],
  [
    "knows no IPv6",
    inOrder((order) => (String(order["ipAddress"]).includes(":") ? { ...order, ipAddress: "x" } : order)),
    ["takes an IPv6 address"],
  ],
  [
    "answers 422 to a wrong body",
    inStatus(400, (answer) => ({ ...answer, status: 422 })),
    ["refuses a body that is not JSON", "refuses an empty body", "refuses an order without orderAmount"],
  ],
  [
    "says nothing about a wrong body",
    inStatus(400, withMessage("Bad Request")),
    ["refuses a body that is not JSON", "refuses a list instead of an order", "refuses an amount of zero"],
  ],
  [
    "doesn't mention credits",
    inStatus(402, withMessage("Payment required")),
    ["answers 402 to a key without credits"],
  ],
  [
    "has no limit",
    inStatus(429, (answer) => ({ ...answer, status: 200 })),
    ["answers 429 past the rate limit, with the time it ends"],
  ],
  [
    "reports remaining requests when there are none",
    inStatus(429, (answer) => ({ ...answer, headers: { ...answer.headers, "x-ratelimit-remaining": "1" } })),
    ["answers 429 past the rate limit, with the time it ends"],
  ],
];

describe("verificationServiceContract", () => {
  const suite = () =>
    verificationServiceContract({
      url,
      apiKey: SANDBOX_API_KEY,
      emptyKey: "empty",
      limitedKey: "limited",
      fetch: byKey,
    });

  it("is passed by the sandbox, at the stated price", async () => {
    const cases = suite();
    const before = service.calls.filter(({ metered }) => metered).length;

    expect(await failuresOf(cases)).toEqual([]);

    const paid = service.calls.filter(({ metered }) => metered).length - before;
    expect(paid).toBe(cases.reduce((sum, { credits }) => sum + credits, 0));
    expect(new Set(cases.map(({ name }) => name)).size).toBe(cases.length);
  });

  it("skips what needs keys that aren't given", () => {
    const names = verificationServiceContract({ url, apiKey: SANDBOX_API_KEY }).map(({ name }) => name);

    expect(suite()).toHaveLength(names.length + 2);
    expect(names.filter((name) => /\b(?:402|429)\b/.test(name))).toEqual([]);
  });

  it.each(FAULTS)("catches a service that %s", async (_fault, planted, caught) => {
    const broken = await startBrokenService(url, planted);
    const brokenFetch: typeof fetch = async (input, init) => {
      const key = new Headers(init?.headers).get("x-api-key");
      if (key !== "empty" && key !== "limited") return fetch(input, init);
      // The services of these keys are reached without the fault, so it is planted here.
      const response = await byKey(input, init);
      const { pathname: path } = new URL(new Request(input).url);
      const passed = {
        status: response.status,
        headers: Object.fromEntries(response.headers),
        body: await response.text(),
      };
      const request = { method: "POST", path, headers: { "x-api-key": key }, body: "" };
      const { status, headers, body } = planted.answer?.(passed, request) ?? passed;
      return new Response(body, { status, headers });
    };
    const options = { url: broken.url, apiKey: SANDBOX_API_KEY, fetch: brokenFetch };
    try {
      const cases = verificationServiceContract({ ...options, emptyKey: "empty", limitedKey: "limited" });
      const failed = await failuresOf(cases);

      expect(failed).toEqual(expect.arrayContaining([...caught]));
      // The cases that the fault doesn't affect still pass: a suite that fails as a whole says nothing.
      expect(failed.length).toBeLessThan(cases.length / 1.3);
    } finally {
      await broken.close();
    }
  });

  it.each(["You have no credits left.", "Credit limit reached. Top up to go on."])(
    "accepts any wording of the 402 that mentions credits: %s",
    async (message) => {
      const broken = await startBrokenService(emptyUrl, inStatus(402, withMessage(message)));
      try {
        const cases = verificationServiceContract({ url: broken.url, apiKey: "empty", emptyKey: "empty" });
        const [empty] = cases.filter(({ name }) => name.includes("402"));

        await expect(empty?.run()).resolves.toBeUndefined();
      } finally {
        await broken.close();
      }
    },
  );

  it("has no case that can't fail", async () => {
    const refusing = await startBrokenService(url, {
      answer: (answer, request) =>
        isOrder(request) ? withMessage("No")({ ...answer, status: 400 }) : answer,
    });
    const agreeing = await startBrokenService(url, {
      answer: (answer, request) => (isOrder(request) ? { ...answer, status: 200, body: AGREEMENT } : answer),
    });
    try {
      const [refused, agreed] = await Promise.all(
        [refusing, agreeing].map((broken) =>
          failuresOf(verificationServiceContract({ url: broken.url, apiKey: SANDBOX_API_KEY })),
        ),
      );
      const caught = new Set([
        ...(refused ?? []),
        ...(agreed ?? []),
        ...FAULTS.flatMap(([, , names]) => names),
      ]);

      expect(
        suite()
          .map(({ name }) => name)
          .filter((name) => !caught.has(name)),
      ).toEqual([
        // A separate test is below.
        "is reached by HTTPS, or on this machine",
      ]);
    } finally {
      await Promise.all([refusing.close(), agreeing.close()]);
    }
  });

  it("reports what was expected and what was found", async () => {
    const broken = await startBrokenService(
      url,
      inStatus(400, (answer) => ({ ...answer, status: 422 })),
    );
    try {
      const cases = verificationServiceContract({ url: broken.url, apiKey: SANDBOX_API_KEY });
      const refusal = cases.find(({ name }) => name === "refuses an amount of zero");

      await expect(refusal?.run()).rejects.toThrow(
        /expected status 400, got 422 \(Invalid request body: orderAmount/,
      );
    } finally {
      await broken.close();
    }
  });

  it("works in the given organization, and fails if the key has none of that name", async () => {
    const [byId] = verificationServiceContract({
      url,
      apiKey: SANDBOX_API_KEY,
      organization: "org_sandbox",
    }).filter(({ name }) => name === "takes an order with every field");
    const [elsewhere] = verificationServiceContract({
      url,
      apiKey: SANDBOX_API_KEY,
      organization: "elsewhere",
    }).filter(({ name }) => name === "takes an order with every field");

    await expect(byId?.run()).resolves.toBeUndefined();
    await expect(elsewhere?.run()).rejects.toThrow("expected the key to reach the organization");
  });

  it("refuses an address that is neither https nor this machine", async () => {
    const [https] = verificationServiceContract({ url: "http://verify.example", apiKey: "key" });

    await expect(https?.run()).rejects.toThrow("expected an https address");
  });
});
