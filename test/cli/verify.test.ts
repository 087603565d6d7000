import { readFileSync } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { fromMedusaOrder } from "../../adapters/medusa/index.ts";
import { explainMapping } from "../../src/cli/verify/explain-mapping.ts";
import { verifyFile, type VerifyOptions } from "../../src/cli/verify/verify.ts";
import { parseConfig, type Config } from "../../src/config.ts";
import {
  createSandboxService,
  SANDBOX_API_KEY,
  type SandboxService,
} from "../../src/sandbox/sandbox-service.ts";
import type { VerificationRequest } from "../../src/order/request.ts";
import type { OrderCheck } from "../../src/screening/order-check.ts";
import { openConfiguredStore } from "../../src/store/opening/open-store.ts";
import { ORDER_FORMATS } from "../../tools/verify/order-formats.ts";
import { HOST_MAPPINGS, readHostPayload, type HostPayload } from "../support/host-orders.ts";
import { anOrder } from "../support/orders.ts";

let folder: string;
let service: SandboxService;
let config: Config;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "holdfast-verify-"));
  service = createSandboxService();
  config = parseConfig({
    DATABASE_URL: `sqlite:${join(folder, "h.db")}`,
    VERIFY_URL: (await service.listen()).href,
    VERIFY_API_KEY: SANDBOX_API_KEY,
  });
});

afterEach(async () => {
  await service.close();
  await rm(folder, { recursive: true });
});

/** Save a policy as the console does for its operator. */
async function savePolicy(document: unknown, tenant = "default"): Promise<void> {
  const store = await openConfiguredStore(config, { exclusive: false });
  await store.policies.save(tenant, document, undefined, 1);
  await store.close();
}

/** What the command prints for a file with this text. Each line also goes to `lines`. */
async function verifyText(
  text: string,
  options: Partial<VerifyOptions> = {},
  lines: string[] = [],
): Promise<string> {
  const file = join(folder, "order.json");
  await writeFile(file, text);
  const problem = () => expect.unreachable("a check that works has no problem to tell");
  const output = { line: (line: string) => void lines.push(line), problem };
  const readStdin = async () => text;
  await verifyFile({ file, json: true, ...options }, { config, output, formats: ORDER_FORMATS, readStdin });
  return lines.join("\n");
}

const verify = (changes: Partial<VerificationRequest> = {}, json = true): Promise<string> =>
  verifyText(JSON.stringify(anOrder(changes)), { json });

const toCheck = (json: string) => JSON.parse(json) as OrderCheck;

describe("verifyFile", () => {
  it("prints the service's answer, and pays for it once", async () => {
    const low = { customerEmail: "low@risk.example" };

    expect(toCheck(await verify(low))).toMatchObject({
      status: "verified",
      action: "allow",
      creditsSpent: 1,
    });
    expect(toCheck(await verify(low))).toMatchObject({ status: "cached", action: "allow", creditsSpent: 0 });
    expect(await verify(low, false)).toMatch(/^allow \(cached, level low, .*\nbecause level:low\n/);
    expect(service.calls.filter(({ metered }) => metered)).toHaveLength(1);
  });

  it("decides by the operator's saved policy", async () => {
    const then = { action: "hold", tags: ["mugs"] };
    await savePolicy({ rules: [{ name: "mugs", when: { product: ["mug"] }, then }] });

    expect(toCheck(await verify({ customerEmail: "low@risk.example" }))).toMatchObject({
      action: "hold",
      tags: ["mugs"],
      reasons: ["rule:mugs", "level:low"],
    });
  });

  it("doesn't decide by a shop's policy", async () => {
    await savePolicy({ levels: { low: { action: "hold" } } }, "shopify:a.example");

    expect(toCheck(await verify({ customerEmail: "low@risk.example" })).action).toBe("allow");
  });

  it("spends no more than the saved budget", async () => {
    await savePolicy({ budget: { monthly: 1 } });

    expect(toCheck(await verify({ orderId: "1" })).status).toBe("verified");
    expect(toCheck(await verify({ orderId: "2" }))).toMatchObject({
      status: "degraded",
      creditsSpent: 0,
      reasons: expect.arrayContaining(["degraded:BUDGET_SPENT"]),
    });
    expect(service.calls.filter(({ metered }) => metered)).toHaveLength(1);
  });

  it("names a saved policy that is no longer valid, and asks nobody", async () => {
    await savePolicy({ levels: { low: { action: "burn" } } });

    await expect(verify()).rejects.toMatchObject({ code: "POLICY_INVALID" });
    expect(service.calls).toEqual([]);
  });

  it("says why a file can't be read", async () => {
    const output = { line: () => expect.unreachable(), problem: () => expect.unreachable() };
    const context = { config, output, formats: ORDER_FORMATS, readStdin: () => expect.unreachable() };
    const verify = async (file: string) => await verifyFile({ file, json: true }, context);

    await expect(verify("none.json")).rejects.toThrow("none.json: can't be read: it doesn't exist");
    await expect(verify(folder)).rejects.toThrow(`${folder}: can't be read: it's a folder`);
    await expect(verify(`${folder}/${"long".repeat(99)}`)).rejects.toThrow("can't be read: ENAMETOOLONG");
  });

  it("says nothing about the content of a file that isn't an order", async () => {
    const lines: string[] = [];

    await expect(verifyText('{ "customerEmail": "jane@example.com"', {}, lines)).rejects.toMatchObject({
      code: "ORDER_INVALID",
      message: expect.not.stringContaining("jane"),
    });
    expect(lines).toEqual([]);
  });
});

const FIXTURES = [
  ...HOST_MAPPINGS.map(({ fixture }) => ({ platform: fixture.split("-")[0] ?? "", text: readHost(fixture) })),
  { platform: "shopify", text: readShopify() },
  { platform: "request", text: JSON.stringify(anOrder()) },
];

function readHost(fixture: string): string {
  return JSON.stringify(readHostPayload(fixture));
}

function readShopify(changes: HostPayload = {}): string {
  const text = readFileSync("test/fixtures/shopify/14-docs-webhook-2026-04-create.json", "utf8");
  return JSON.stringify({ ...(JSON.parse(text) as HostPayload), cancelled_at: null, ...changes });
}

interface Explained {
  readonly explanation: {
    readonly platform: string;
    readonly mapped: readonly {
      readonly field: string;
      readonly from: readonly string[];
      readonly rule?: string;
    }[];
    readonly dropped: readonly { readonly field: string; readonly why: string }[];
  };
}

async function explain(text: string) {
  const { explanation } = JSON.parse(await verifyText(text, { explain: true })) as Explained;
  const mapped = new Map(explanation.mapped.map(({ field, from, rule }) => [field, rule ?? from.toSorted()]));
  return {
    ...explanation,
    mapped,
    dropped: new Map(explanation.dropped.map(({ field, why }) => [field, why])),
  };
}

describe("verifyFile, of a platform's order", () => {
  it.each(FIXTURES)(
    "recognizes $platform by its shape, checks it, and pays once",
    async ({ platform, text }) => {
      const first = JSON.parse(await verifyText(text, { explain: true })) as OrderCheck & Explained;
      const again = toCheck(await verifyText(text, { platform, file: "-" }));

      expect(first.explanation.platform).toBe(platform);
      expect(["verified", "skipped"]).toContain(first.status);
      expect(again.creditsSpent).toBe(0);
      expect(again.fingerprint).toBe(first.fingerprint);
      for (const { matches } of ORDER_FORMATS.filter(({ name }) => name !== platform)) {
        expect(matches(JSON.parse(text) as HostPayload)).toBe(false);
      }
    },
  );

  it("explains the source of each field: another field, several, or a rule", async () => {
    const { mapped, dropped } = await explain(readHost("medusa-order"));

    expect(mapped.get("orderAmount")).toEqual(["item_total", "shipping_total", "total"]);
    expect(mapped.get("customerEmail")).toEqual(["email"]);
    expect(mapped.get("items[].price")).toEqual(["items[].quantity", "items[].total"]);
    expect(mapped.get("shippingAddress.city")).toEqual(["shipping_address.city"]);
    expect(mapped.get("isFirstTimeCustomer")).toBe("set by the mapping");
    expect(dropped.get("display_id")).toBe("not read for this order");
    expect(dropped.get("items[].unit_price")).toBe("another field or a rule comes first");
  });

  it("explains a value that overrides another field, and a placeholder", async () => {
    const order = readHostPayload("medusa-order");
    const address = { ...(order["shipping_address"] as HostPayload), province: null };
    const customer = { has_account: false, created_at: "2026-01-01T00:00:00Z" };
    const { mapped, dropped } = await explain(
      JSON.stringify({ ...order, shipping_address: address, customer }),
    );

    expect(mapped.get("shippingAddress.state")).toBe("N/A: the order has none");
    expect(dropped.get("customer.has_account")).toBe("with this value there is no accountAgeInDays");
  });

  it("says only why a free line is free", async () => {
    const { dropped } = await explain(readHost("saleor-order"));

    expect(dropped.get("lines[].totalPrice.gross.amount")).toBe("with this value there is no items[].name");
    expect(dropped.has("lines[].productName")).toBe(false);
  });

  it("prints a table before the check, without a value of the order", async () => {
    const text = await verifyText(readHost("saleor-order"), { json: false, explain: true });
    const [table = "", check = ""] = text.split("\n\n");

    expect(table).toMatch(/^Platform: saleor\nMapped, and from which fields:\n/);
    expect(table).toMatch(/^ {2}customerEmail +userEmail$/m);
    expect(table).toMatch(/^Left out, and why:\n {2}\S.*:\n {4}\S/m);
    expect(Math.max(...table.split("\n").map(({ length }) => length))).toBeLessThanOrEqual(120);
    expect(table).not.toMatch(/ada|byron|austin|\d{4}/i);
    expect(check).toMatch(/\(verified, level /);
  });

  it("prints no control characters of a file's own names", async () => {
    const lines: string[] = [];
    const text = JSON.stringify({ orderAmount: -1, "\u001B]0;title\u0007": "x" });

    await expect(verifyText(text, { json: false, explain: true }, lines)).rejects.toThrow();

    expect(lines.join("\n")).toContain("]0;title");
    expect(lines.join("\n")).not.toMatch(/[^\P{C}\n]/u);
  });

  it("explains an order that can't be checked, then says which field is missing", async () => {
    const lines: string[] = [];
    const text = JSON.stringify({ ...anOrder(), currency: "EURO" });

    await expect(verifyText(text, { json: false, explain: true }, lines)).rejects.toMatchObject({
      code: "ORDER_INVALID",
      message: expect.stringContaining("\n  currency: "),
    });
    expect(lines.join("\n")).toMatch(/^ {2}orderAmount +orderAmount$/m);
    expect(service.calls).toEqual([]);
  });

  it("checks an order with details that can't be used, and names them", async () => {
    const items = [{ name: "", quantity: 1.5, price: 39.9 }];
    const order = { ...anOrder(), items, isFirstTimeCustomer: 1, orderTimestamp: "yesterday" };
    const text = await verifyText(JSON.stringify(order), { json: false }, []);

    expect(text).toMatch(/^allow \(verified/);
    expect(text).toMatch(/^warning UNUSABLE_FIELD, orderTimestamp: /m);
    expect(text).toMatch(/^warning CHANGED_FIELD, isFirstTimeCustomer: /m);
    expect(text).toMatch(/^warning CHANGED_FIELD, items\[0\]\.quantity: /m);
  });

  it.each([[null], ["nobody"]])(
    "judges an order with %j as its email address here, and says so",
    async (email) => {
      const text = JSON.stringify({ ...readHostPayload("medusa-order"), email, customer: null });
      const check = JSON.parse(await verifyText(text, { json: true }, [])) as { reasons: string[] };

      expect(check.reasons).toContain("skipped:NO_EMAIL");
      expect(service.calls).toEqual([]);
    },
  );

  it.each([
    [
      "a field under the platform's name",
      readHost("medusa-order").replace(/"total":17.5/, '"total":"?"'),
      "\n  total: expected an amount",
    ],
    ["a list", "[]", "order.json: expected one order, got a list"],
    ["no object", "7", "expected one order, a JSON object"],
    ["a wrapped order", JSON.stringify({ order: readHostPayload("medusa-order") }), "Pass the order itself"],
    [
      "an order of Shopify without an id",
      readShopify({ admin_graphql_api_id: null, id: null }),
      "admin_graphql_api_id: expected",
    ],
  ])("refuses %s, and asks nobody", async (_what, text, message) => {
    await expect(verifyText(text)).rejects.toMatchObject({
      code: "ORDER_INVALID",
      message: expect.stringContaining(message),
    });
    expect(service.calls).toEqual([]);
  });

  it("checks a canceled order of Shopify, as of any platform", async () => {
    const placed = toCheck(await verifyText(readShopify()));
    const canceled = toCheck(await verifyText(readShopify({ cancelled_at: "2026-11-20T10:00:00Z" })));

    expect(canceled).toMatchObject({ status: "cached", fingerprint: placed.fingerprint, creditsSpent: 0 });
  });

  it("lists the platforms when it doesn't know the named one, and believes a name over the shape", async () => {
    await expect(verifyText("{}", { platform: "magento" })).rejects.toMatchObject({
      code: "CONFIG_INVALID",
      message: expect.stringMatching(/^--platform: expected one of shopify, medusa, .*, request$/),
    });
    await expect(verifyText(readHost("medusa-order"), { platform: "vendure" })).rejects.toMatchObject({
      code: "ORDER_INVALID",
      message: expect.stringContaining("totalWithTax: "),
    });
  });

  it("keeps the digits of a Shopify ID, and accepts a byte order mark before a file", async () => {
    const text = readShopify({ admin_graphql_api_id: null, id: 0 }).replace(
      '"id":0',
      '"id":9007199254740993',
    );
    const ids: unknown[] = [];
    const [{ map, parse }] = ORDER_FORMATS.filter(({ name }) => name === "shopify") as [
      (typeof ORDER_FORMATS)[number],
    ];
    ids.push(map(parse?.(text) ?? {}));

    expect(ids).toEqual([expect.objectContaining({ orderId: "9007199254740993" })]);
    expect(toCheck(await verifyText(`\uFEFF${text}`)).status).toBe("verified");
  });

  it("prints no name from a file that controls the terminal", async () => {
    const text = JSON.stringify({ ...anOrder(), "\u001B[2Jgone": 1 });

    const printed = await verifyText(text, { json: false, explain: true });

    expect(printed).toContain("?[2Jgone");
    expect(printed).not.toContain("\u001B");
  });

  it("tries a few lines of an order with hundreds, and no field that isn't read", async () => {
    const line = { title: "Mug", quantity: 1, total: 1, metadata: { a: 1, b: 2, c: 3 } };
    const order = {
      id: "order_1",
      currency_code: "usd",
      total: 300,
      items: Array.from({ length: 300 }, () => line),
    };
    let maps = 0;

    const { mapped, dropped } = explainMapping(order, (document) => {
      maps += 1;
      return fromMedusaOrder(document);
    });

    expect(mapped).toContainEqual({ field: "items[].name", from: ["items[].title"] });
    expect(dropped).toEqual([{ field: "items[].metadata", why: "not read for this order" }]);
    expect(maps).toBeLessThan(3 * 20 * 3 + 20);
  });

  it("explains a file that is nested without end", async () => {
    const deep = `${"[".repeat(3_000)}1${"]".repeat(3_000)}`;
    const { mapped } = await explain(
      readHost("medusa-order").replace('"metadata":null', `"metadata":${deep}`),
    );

    expect(mapped.get("currency")).toEqual(["currency_code"]);
  });
});
