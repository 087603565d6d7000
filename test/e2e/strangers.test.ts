import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { DEFAULT_POLICY } from "../../src/policy/policy.ts";
import { isBrowserMissing } from "../support/browser.ts";
import { createConsoleStage, SOON, type ConsolePage, type ConsoleStage } from "../support/console-stage.ts";
import { placeOrders } from "../support/placed-orders.ts";

/** What would run if any of it were treated as markup, a script or an address. */
const PLANTED = [
  `<img src=x onerror="globalThis.planted=1">`,
  `"><script>globalThis.planted=2</script>`,
  `javascript:globalThis.planted=3`,
  `'};globalThis.planted=4;//`,
  `</textarea><svg onload=globalThis.planted=5>`,
] as const;
const ALL = PLANTED.join(" ");

const ADDRESS = {
  first_name: PLANTED[0],
  last_name: PLANTED[1],
  name: ALL,
  company: ALL,
  address1: ALL,
  address2: ALL,
  city: ALL,
  zip: PLANTED[2],
  province: ALL,
  province_code: PLANTED[2],
  country: ALL,
  country_code: "US",
  phone: PLANTED[3],
};

const PAYLOAD = {
  name: ALL,
  source_name: ALL,
  note: ALL,
  tags: ALL,
  client_details: { user_agent: ALL },
  landing_site: PLANTED[2],
  referring_site: PLANTED[2],
  gateway: ALL,
  payment_gateway_names: [ALL],
  customer: {
    first_name: PLANTED[0],
    last_name: PLANTED[1],
    email: "high@risk.example",
    created_at: ALL,
    phone: PLANTED[3],
    note: ALL,
    tags: ALL,
  },
  billing_address: ADDRESS,
  shipping_address: ADDRESS,
  line_items: [
    { name: ALL, title: ALL, quantity: 1, price: "80.00", sku: PLANTED[1], vendor: ALL, gift_card: false },
  ],
};

describe.skipIf(isBrowserMissing())("what strangers write and see", () => {
  let stage: ConsoleStage;

  beforeAll(async () => {
    stage = await createConsoleStage();
  });
  afterAll(() => stage.close());

  /** Nothing that was planted ran, became markup, or is a link. */
  async function expectHarmless({ app, problems }: ConsolePage): Promise<void> {
    const seen = await app.evaluate(() => ({
      planted: "planted" in globalThis,
      markup: document.querySelectorAll("[onerror], [onload], img[src='x'], #app script").length,
      addresses: [...document.querySelectorAll("[href], [src], [action]")]
        .flatMap((one) => ["href", "src", "action"].map((name) => one.getAttribute(name) ?? ""))
        .filter((address) => address.trim().toLowerCase().startsWith("javascript:")),
    }));
    expect(seen).toEqual({ planted: false, markup: 0, addresses: [] });
    expect(problems).toEqual([]);
  }

  it("stays text, wherever it comes from and wherever it is shown", async () => {
    const shop = "hostile.myshopify.com";
    const policy = {
      ...DEFAULT_POLICY,
      rules: [
        {
          name: PLANTED[0].slice(0, 100),
          when: { minAmount: 1, product: [ALL] },
          then: { action: "hold", tags: [PLANTED[1].replaceAll(",", "").slice(0, 40)] },
        },
      ],
    };
    expect((await stage.send(shop, "PUT", "api/policy", { body: policy })).status).toBe(200);
    const [id = ""] = await placeOrders(stage, shop, [{ number: 1, as: "high", payload: PAYLOAD }]);
    const noted = await stage.send(shop, "POST", `api/orders/${id}/note`, { body: { note: ALL } });
    expect(noted.status).toBe(200);
    const person = { name: PLANTED[0].slice(0, 60), role: "viewer" };
    expect((await stage.send(shop, "POST", "api/people", { body: person })).status).toBe(201);
    // The customer changes the order, and one of the shop's own people tags it.
    stage.emulator.shop(shop).order(id).tags.push(PLANTED[1].slice(0, 40));

    const opened = await stage.openEmbedded({ shop, path: `/queue/${id}` });
    const { app } = opened;
    await app.getByRole("article").getByRole("heading", { name: "Decide" }).waitFor();
    await app.getByRole("blockquote").getByText(PLANTED[0]).waitFor();
    for (const summary of await app.locator("article summary").all()) await summary.click();
    await app.getByText(PLANTED[0]).first().waitFor();
    await app.getByRole("heading", { name: "Status on the platform" }).waitFor();
    await expectHarmless(opened);

    await app.getByRole("article").getByRole("button", { name: "Decline" }).click();
    await app
      .getByRole("dialog")
      .getByText(/^Cancels the order/)
      .waitFor();
    await expectHarmless(opened);
    await app.getByRole("dialog").getByRole("button", { name: "Keep the order" }).click();

    for (const view of ["orders", "overview", "report", "policy", "policy/versions", "settings"]) {
      await opened.goTo(`/${view}`);
      await expectHarmless(opened);
    }
  });

  it("would be caught running: by its traces, the policy's report, or the host that it requests", async () => {
    const shop = "harmful.myshopify.com";
    const opened = await stage.openEmbedded({ shop });
    const { app, problems } = opened;
    opened.expectProblem(/./);
    await app.getByRole("heading", { name: "Welcome to Holdfast" }).waitFor();

    await app.evaluate((markup) => document.body.insertAdjacentHTML("beforeend", markup), PLANTED[0]);
    await app.evaluate(() => void fetch("https://elsewhere.example/").catch(() => undefined));
    await expect.poll(() => problems.join("\n"), SOON).toContain("policy: script-src-attr inline");
    await expect
      .poll(() => problems.join("\n"), SOON)
      .toContain("policy: connect-src https://elsewhere.example");
    await expect(expectHarmless(opened)).rejects.toThrow("markup");
    await app.evaluate(() => setTimeout(() => alert("seen")));
    await expect.poll(() => problems.join("\n"), SOON).toContain("dialog: seen");
    await opened.page.evaluate(() => void fetch("https://elsewhere.example/").catch(() => undefined));
    await expect.poll(() => problems.join("\n"), SOON).toContain("request: https://elsewhere.example/");
  });

  it("stays text in the page's own address", async () => {
    const shop = "address.myshopify.com";
    const opened = await stage.openEmbedded({ shop });
    const { app } = opened;
    await app.getByRole("heading", { name: "Welcome to Holdfast" }).waitFor();

    const [markup, script] = [PLANTED[0], PLANTED[2]].map((text) => encodeURIComponent(text));
    for (const path of [
      `/${markup}`,
      `/queue?q=${markup}&level=${script}`,
      `/policy/${markup}?mode=${script}`,
    ]) {
      opened.expectProblem(/400 \(Bad Request\)/);
      await opened.goTo(path);
      expect(await app.evaluate(() => "planted" in globalThis)).toBe(false);
    }
  });

  it("is seen by no other shop: not in a list, a search, its address, a policy, a setting or a log", async () => {
    const [own, other] = ["own.myshopify.com", "other.myshopify.com"];
    const policy = {
      ...DEFAULT_POLICY,
      rules: [{ name: "Freight of Example", when: { minAmount: 5 }, then: { action: "hold" } }],
    };
    expect((await stage.send(own, "PUT", "api/policy", { body: policy })).status).toBe(200);
    const settings = { alerts: { email: ["owner@own.example"] } };
    expect((await stage.send(own, "PUT", "api/settings", { body: settings })).status).toBe(200);
    const [id = ""] = await placeOrders(stage, own, [{ number: 1, as: "high", payload: { name: "#OWN-1" } }]);
    await stage.send(own, "POST", `api/orders/${id}/note`, { body: { note: "a note of theirs" } });

    const opened = await stage.openEmbedded({ shop: other, userId: "99" });
    const { app } = opened;
    opened.expectProblem(/404 \(Not Found\)/);
    await app.getByRole("heading", { name: "Welcome to Holdfast" }).waitFor();
    const views = [
      "orders",
      "overview",
      "report",
      "policy",
      "policy/versions",
      "settings",
      "settings/access",
    ];
    for (const path of [
      `/queue/${id}`,
      `/orders/${id}`,
      `/orders?q=${id}`,
      `/orders?q=${encodeURIComponent("#OWN-1")}`,
      ...views.map((view) => `/${view}`),
    ]) {
      await opened.goTo(path);
      const text = (await app.locator("body").textContent()) ?? "";
      for (const word of ["OWN-1", "Freight of Example", "owner@own.example", "a note of theirs"]) {
        expect(text.includes(word), `${word} at ${path}`).toBe(false);
      }
    }
    await opened.goTo("/orders");
    await app.getByRole("searchbox").fill("high@risk.example");
    await app.getByText("No matching orders").waitFor();
    expect(await app.evaluate(() => location.href)).not.toContain("risk.example");
    expect((await stage.get(other, `api/orders/${id}`)).status).toBe(404);
    expect((await stage.send(other, "POST", `api/orders/${id}/approve`)).status).toBe(404);
  });
});
