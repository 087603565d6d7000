import { existsSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import {
  loadOrder,
  describeDecision,
  toOrderId,
  type CheckedOrder,
} from "../../extensions/order-block/src/order-check.ts";
import { AS_SHOP_A, createFakePlatform, keepOrder, startConsole } from "../server/console-app.ts";

const FOLDER = "extensions/order-block";

const ORDER: CheckedOrder = {
  state: "settled",
  riskLevel: "high",
  riskScore: 72,
  action: "hold",
  degraded: false,
  decidedBy: null,
  skipReason: null,
  enforced: true,
  why: [],
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

describe("loadOrder", () => {
  /** The admin's `fetch`: it resolves paths against the app's address and adds the session token. */
  async function startAdmin(headers: Record<string, string> = AS_SHOP_A) {
    const origin = "https://extensions.fake.example";
    const app = await startConsole({ platforms: [createFakePlatform({ apiOrigins: [origin] })] });
    await keepOrder(app.store, "1", { tenant: "fake:a.example", decided: { level: "high", action: "hold" } });
    const ask = (path: string, init: { readonly signal: AbortSignal }) =>
      fetch(app.origin + path, { ...init, headers: { ...headers, origin } });
    return { app, ask };
  }

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

describe("the block's extension", () => {
  const toml = readFileSync(`${FOLDER}/shopify.extension.toml`, "utf8");
  const valueOf = (key: string): string => new RegExp(`^${key} = "([^"]+)"$`, "m").exec(toml)?.[1] ?? "";

  it("stands on an order's page and names sources that are there", () => {
    expect(valueOf("type")).toBe("ui_extension");
    expect(valueOf("target")).toBe("admin.order-details.block.render");
    expect(existsSync(`${FOLDER}/${valueOf("module")}`)).toBe(true);
  });

  it("is written for one version of Shopify's components", () => {
    const { dependencies } = JSON.parse(readFileSync(`${FOLDER}/package.json`, "utf8")) as {
      dependencies: Record<string, string>;
    };
    const [year, month] = valueOf("api_version").split("-").map(Number);
    expect(dependencies["@shopify/ui-extensions"]).toMatch(new RegExp(`^${year}\\.${month}\\.\\d+$`));
  });

  it("asks for what other origins may read, and leads to a view there is", () => {
    const block = readFileSync(`${FOLDER}/src/order-block.tsx`, "utf8");
    expect(block).toContain("href={`app:orders/${orderId}`}");
  });
});
