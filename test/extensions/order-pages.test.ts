import { existsSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import {
  loadOrder,
  describeDecision,
  toOrderId,
  type Ask,
  type CheckedOrder,
} from "../../extensions/order-block/src/order-check.ts";
import { reviewOrder, DECLINE_WORDS, type Press } from "../../extensions/order-actions/src/review-order.ts";
import { DECLINE_WORDS as CONSOLE_DECLINE_WORDS } from "../../web/data/orders/review.ts";
import { AS_SHOP_A, createFakePlatform, keepOrder, startConsole } from "../server/console-app.ts";

const ORDER: CheckedOrder = {
  state: "settled",
  riskLevel: "high",
  riskScore: 72,
  action: "hold",
  degraded: false,
  decidedBy: null,
  skipReason: null,
  enforced: true,
  name: "#1001",
  version: "v1",
  factors: [],
  actions: {
    approve: { possible: true, consequence: "" },
    decline: { possible: true, consequence: "" },
    recheck: { possible: true, consequence: "" },
  },
};

describe("toOrderId", () => {
  it("takes the digits of an order's global id", () => {
    expect(toOrderId("gid://shopify/Order/820982911946154508")).toBe("820982911946154508");
  });

  it.each([
    undefined,
    "",
    "1",
    "gid://shopify/DraftOrder/1",
    "gid://shopify/Order/",
    "gid://shopify/Order/0",
    "gid://shopify/Order/1/../../policy",
    "gid://shopify/Order/1?x=1",
    "gid://shopify/Order/1\n",
  ])("takes nothing from %j", (id) => {
    expect(toOrderId(id)).toBeNull();
  });
});

/** The admin's `fetch`: it resolves paths against the app's address and adds the session token. */
async function startAdmin(headers: Record<string, string> = AS_SHOP_A) {
  const origin = "https://extensions.fake.example";
  const app = await startConsole({ platforms: [createFakePlatform({ apiOrigins: [origin] })] });
  await keepOrder(app.store, "1", { tenant: "fake:a.example", decided: { level: "high", action: "hold" } });
  const ask: Ask = (path, init) =>
    fetch(app.origin + path, { ...init, headers: { ...(init.headers as object), ...headers, origin } });
  return { app, ask };
}

describe("loadOrder", () => {
  it("finds in the app's answer everything that the block shows", async () => {
    const { ask } = await startAdmin();

    const loaded = await loadOrder("1", ask);

    expect(loaded).toMatchObject({ status: "known", order: { riskLevel: "high", action: "hold" } });
    expect(loaded).toHaveProperty("order");
    for (const name of Object.keys(ORDER)) expect(loaded).toHaveProperty(["order", name]);
  });

  it("does not know an order that Holdfast has not seen, nor one of another shop", async () => {
    const { ask, app } = await startAdmin();
    await keepOrder(app.store, "2", { tenant: "fake:b.example" });

    expect(await loadOrder("3", ask)).toEqual({ status: "unknown" });
    expect(await loadOrder("2", ask)).toEqual({ status: "unknown" });
    expect(await loadOrder(null, ask)).toEqual({ status: "unknown" });
  });

  it.each<[string, () => Promise<Response>]>([
    ["an app that is away", () => Promise.reject(new TypeError("Failed to fetch"))],
    ["an app in trouble", async () => new Response("", { status: 503 })],
    ["an answer that is no JSON", async () => new Response("<html>")],
  ])("says so of %s", async (_what, ask) => {
    expect(await loadOrder("1", ask)).toEqual({ status: "failed" });
  });

  it("says so when it is not signed in", async () => {
    const { ask } = await startAdmin({});
    expect(await loadOrder("1", ask)).toEqual({ status: "failed" });
  });
});

const PRESS: Press = { act: "approve", version: "v1", note: "", reason: "stolen-payment" };
/** The version that the actions show. */
async function seeVersion(ask: Ask): Promise<string> {
  const loaded = await loadOrder("1", ask);
  return loaded.status === "known" ? loaded.order.version : "";
}

describe("reviewOrder", () => {
  it("asks for the reasons of a decline that the console asks for, and sends it", async () => {
    const { ask, app } = await startAdmin();

    expect(DECLINE_WORDS).toEqual(CONSOLE_DECLINE_WORDS);
    expect(await reviewOrder("1", { ...PRESS, act: "decline" }, ask)).toBeNull();
    expect(await (await app.get("/api/orders/1", AS_SHOP_A)).json()).toMatchObject({
      declineReason: "stolen-payment",
    });
  });

  it("decides as the console does, with the note, and says why it can't", async () => {
    const { ask, app } = await startAdmin();

    const version = await seeVersion(ask);
    expect(await reviewOrder("1", { ...PRESS, version, note: " called them " }, ask)).toBeNull();
    const { timeline } = (await (await app.get("/api/orders/1", AS_SHOP_A)).json()) as {
      timeline: readonly { readonly note: string | null }[];
    };
    expect(timeline.map(({ note }) => note)).toContain("called them");
    expect(await reviewOrder("3", { ...PRESS, act: "decline" }, ask)).toMatch(/order/i);
  });

  it("approves only the order that the person has seen", async () => {
    const { ask } = await startAdmin();
    expect(await reviewOrder("1", PRESS, ask)).toMatch(/^The order changed/);
  });

  it("needs a sign-in", async () => {
    const { ask } = await startAdmin({});
    expect(await reviewOrder("1", { ...PRESS, act: "decline" }, ask)).toMatch(/^Sign in first/);
  });

  it.each<[string, Ask]>([
    ["an app that is away", () => Promise.reject(new TypeError("Failed to fetch"))],
    ["an answer that is no JSON", async () => new Response("<html>", { status: 502 })],
  ])("says so of %s", async (_what, ask) => {
    expect(await reviewOrder("1", PRESS, ask)).toMatch(/^Can't reach Holdfast/);
  });
});

describe("describeDecision", () => {
  it.each<[Partial<CheckedOrder>, string]>([
    [{}, "Held for review"],
    [{ action: "allow" }, "Allowed"],
    [{ action: "tag" }, "Tagged"],
    [{ action: "cancel" }, "Canceled as fraud"],
    [{ action: null }, "Checking"],
    [{ action: null, skipReason: "TEST_ORDER" }, "Not checked"],
    [{ action: "allow", decidedBy: "person:1" }, "Allowed (by a person)"],
    [
      { degraded: true, enforced: false },
      "Held for review (without the service, shadow mode: no changes made)",
    ],
  ])("puts %j into words", (changes, words) => {
    expect(describeDecision({ ...ORDER, ...changes })).toBe(words);
  });
});

describe.each([
  ["order-block", ["admin.order-details.block.render"]],
  ["order-actions", ["admin.order-details.action.render", "admin.order-index.selection-action.render"]],
])("the extension %s", (name, targets) => {
  const folder = `extensions/${name}`;
  const toml = readFileSync(`${folder}/shopify.extension.toml`, "utf8");
  const valuesOf = (key: string): readonly string[] =>
    [...toml.matchAll(new RegExp(`^${key} = "([^"]+)"$`, "gm"))].map(([, value]) => value ?? "");

  it("stands where orders are and names sources that are there", () => {
    expect(new Set(valuesOf("type"))).toEqual(new Set(["ui_extension"]));
    expect(valuesOf("target")).toEqual(targets);
    expect(valuesOf("module").filter((module) => !existsSync(`${folder}/${module}`))).toEqual([]);
  });

  it("is written for one version of Shopify's components", () => {
    const { dependencies } = JSON.parse(readFileSync(`${folder}/package.json`, "utf8")) as {
      dependencies: Record<string, string>;
    };
    const [year, month] = (valuesOf("api_version")[0] ?? "").split("-").map(Number);
    expect(dependencies["@shopify/ui-extensions"]).toMatch(new RegExp(`^${year}\\.${month}\\.\\d+$`));
  });
});

describe("the block's links", () => {
  it("lead to the order's page in the app, and to the action on the order", () => {
    const block = readFileSync("extensions/order-block/src/order-block.tsx", "utf8");
    const actions = readFileSync("extensions/order-actions/shopify.extension.toml", "utf8");
    expect(block).toContain("href={`app:orders/${orderId}`}");
    const [, handle = "", target = ""] = /"extension:([\w-]+)\/([\w.-]+)"/.exec(block) ?? [];
    expect(actions).toContain(`handle = "${handle}"`);
    expect(actions).toContain(`target = "${target}"`);
  });
});
