import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { toShopKey } from "../../src/platform/shop-key.ts";
import { isBrowserMissing } from "../support/browser.ts";
import { createConsoleStage, SOON, type ConsoleStage } from "../support/console-stage.ts";
import { placeOrders, seeOnPlatform } from "../support/placed-orders.ts";
import { CONSOLE_TOKEN } from "../support/shopify-stage.ts";

interface NewPerson {
  readonly person: { readonly actor: string };
  readonly token: string;
}

describe.skipIf(isBrowserMissing())("who may use the console", () => {
  let stage: ConsoleStage;

  beforeAll(async () => {
    stage = await createConsoleStage();
  });
  afterAll(() => stage.close());

  async function addPerson(shop: string, role: string): Promise<NewPerson> {
    const { status, body } = await stage.send(shop, "POST", "api/people", {
      body: { name: "Jane Example", role },
    });
    expect(status).toBe(201);
    return body as NewPerson;
  }

  it("signs a person in with their token, keeps the session after a reload, and signs them out", async () => {
    const shop = "alone.myshopify.com";
    await placeOrders(stage, shop, [{ number: 1, as: "high" }]);
    const { token } = await addPerson(shop, "reviewer");
    const opened = await stage.openStandAlone();
    const { app, page } = opened;
    opened.expectProblem(/401 \(Unauthorized\)/);

    const field = app.getByLabel("Token");
    await field.waitFor();
    await expect.poll(() => field.evaluate((one) => one === document.activeElement), SOON).toBe(true);
    await page.keyboard.press("Enter");
    await app.getByText("Enter your token.").waitFor();
    await page.keyboard.type("not-a-token");
    await page.keyboard.press("Enter");
    await app.getByText("Token not accepted. Check it and try again.").waitFor();
    await field.fill(token);
    await page.keyboard.press("Enter");
    await app.getByRole("link", { name: "#1001" }).waitFor();
    await page.waitForFunction(() => document.activeElement?.id === "main");

    await page.reload();
    await app.getByRole("link", { name: "#1001" }).waitFor();
    expect(await page.evaluate(() => document.cookie)).toBe("");
    expect(page.url()).not.toContain(token);
    expect(
      await page.evaluate(() => [localStorage, sessionStorage].flatMap((one) => Object.values(one)).join()),
    ).not.toContain(token);
    const cookies = await page.context().cookies();
    expect(cookies).toMatchObject([{ httpOnly: true, sameSite: "Strict" }]);

    await app.getByRole("button", { name: /Signed in as Jane Example/ }).click();
    await app.getByRole("dialog").getByRole("button", { name: "Sign out" }).click();
    await app.getByLabel("Token").waitFor();
    await page.reload();
    await app.getByLabel("Token").waitFor();
    await expect.poll(() => app.getByText("#1001").count(), SOON).toBe(0);
  });

  it("hides the page when the session has ended elsewhere, and leads back", async () => {
    const shop = "ended.myshopify.com";
    const [id = ""] = await placeOrders(stage, shop, [{ number: 1, as: "high" }]);
    const { person, token } = await addPerson(shop, "reviewer");
    const opened = await stage.signIn({ token, path: `/queue/${id}` });
    const { app } = opened;
    await app.getByRole("article", { name: "#1001" }).getByRole("heading", { name: "Decide" }).waitFor();

    const authorization = `Bearer ${stage.emulator.createSessionToken(shop, { userId: "7" })}`;
    const address = new URL(`api/people/${person.actor}`, stage.url());
    const ended = await fetch(address, { method: "DELETE", headers: { authorization } });
    expect(ended.status).toBe(204);

    // The page hears of the change, and its next request finds out.
    await app.getByText("Your session has ended.").waitFor();
    await expect.poll(() => app.getByText("#1001").filter({ visible: true }).count(), SOON).toBe(0);
    const again = await addPerson(shop, "reviewer");
    await app.getByLabel("Token").fill(again.token);
    await app.getByRole("button", { name: "Sign in" }).click();
    await app.getByRole("article", { name: "#1001" }).waitFor();
  });

  it("keeps only the view when a person signs in to another shop", async () => {
    const [shop, other] = ["one-shop.myshopify.com", "other-shop.myshopify.com"];
    const [id = ""] = await placeOrders(stage, shop, [{ number: 1, as: "high" }]);
    await placeOrders(stage, other, [{ number: 7, as: "high" }]);
    const [{ token }, there] = [await addPerson(shop, "owner"), await addPerson(other, "owner")];
    const opened = await stage.signIn({ token, path: `/queue/${id}?level=high` });
    const { app, page } = opened;
    await app.getByRole("article", { name: "#1001" }).waitFor();
    const kept = page.waitForResponse(
      (answer) => answer.url().endsWith("/draft") && answer.request().method() === "PUT",
    );
    await app.getByRole("textbox", { name: "Note" }).fill("Called the buyer of the first shop");
    await kept;
    const asked: string[] = [];
    await app.getByRole("button", { name: /Signed in as/ }).click();
    await app.getByRole("dialog").getByRole("button", { name: "Sign out" }).click();
    await app.getByLabel("Token").fill(there.token);
    page.on("request", (request) => asked.push(request.url() + (request.postData() ?? "")));
    await app.getByRole("button", { name: "Sign in" }).click();

    await app.getByRole("link", { name: "#1007" }).waitFor();
    expect(new URL(page.url())).toMatchObject({
      pathname: "/",
      search: `?in=${toShopKey(`shopify:${other}`)}`,
    });
    await app.getByRole("link", { name: "#1007" }).click();
    await app.getByRole("article", { name: "#1007" }).waitFor();
    expect(await app.getByRole("textbox", { name: "Note" }).inputValue()).toBe("");
    expect(await app.getByText("#1001").count()).toBe(0);
    expect(asked.filter((request) => request.includes(id) || request.includes("first shop"))).toEqual([]);
    expect(asked.length).toBeGreaterThan(3);
  });

  it("signs the operator in with the console's token", async () => {
    const { app } = await stage.signIn({ token: CONSOLE_TOKEN });

    await app.getByRole("button", { name: /Signed in as/ }).click();
    await app.getByText("Owner: can also change settings").waitFor();
  });

  it("says what to do when the platform's script is blocked, and links to the page outside the frame", async () => {
    const shop = "blocked.myshopify.com";
    await placeOrders(stage, shop, [{ number: 1, as: "high" }]);
    const opened = await stage.openEmbedded({ shop, cdn: "blocked", path: "/orders" });
    const { app, page } = opened;
    opened.expectProblem(/ERR_BLOCKED_BY_CLIENT/);

    await app.getByRole("heading", { name: "Couldn't load the platform's sign-in" }).waitFor();
    await app.getByText("Allow cdn.shopify.com and reload").waitFor();
    const [alone] = await Promise.all([
      page.context().waitForEvent("page"),
      app.getByRole("link", { name: "Open in new window" }).click(),
    ]);
    await alone.getByLabel("Token").fill((await addPerson(shop, "viewer")).token);
    await alone.getByRole("button", { name: "Sign in" }).click();
    await alone.getByRole("link", { name: "#1001" }).waitFor();
    expect(new URL(alone.url()).pathname).toBe("/orders");
  });

  it("can be framed only by the admin and the shop", async () => {
    const shop = "framed.myshopify.com";
    const opened = await stage.openStandAlone();
    opened.expectProblem(/401 \(Unauthorized\)|frame-ancestors/);
    const { page } = opened;
    const host = Buffer.from("admin.shopify.com/store/framed").toString("base64");
    const frame = new URL(`/?shop=${shop}&host=${host}&embedded=1`, stage.url()).href;
    await page.route("https://elsewhere.example/", (route) =>
      route.fulfill({ contentType: "text/html", body: `<iframe src="${frame}"></iframe>` }),
    );

    await page.goto("https://elsewhere.example/");
    const element = await page.waitForSelector("iframe");
    const inside = await element.contentFrame();
    await expect.poll(() => opened.problems.join("\n"), SOON).toContain("frame-ancestors");
    await expect.poll(() => inside?.getByText("Holdfast").count(), SOON).toBe(0);
  });

  it("shows a viewer everything and lets them change nothing, in the page or around it", async () => {
    const shop = "viewer.myshopify.com";
    const [id = ""] = await placeOrders(stage, shop, [{ number: 1, as: "high" }]);
    const { token } = await addPerson(shop, "viewer");
    const opened = await stage.signIn({ token, path: `/queue/${id}` });
    opened.expectProblem(/403 \(Forbidden\)/);
    const { app, page } = opened;
    const order = app.getByRole("article", { name: "#1001" });

    for (const name of ["Approve", "Decline", "Check again", "Save note"]) {
      const button = order.getByRole("button", { name, exact: false });
      await expect.poll(() => button.getAttribute("aria-disabled"), { ...SOON, message: name }).toBe("true");
      const described = await button.getAttribute("aria-describedby");
      await expect
        .poll(() => app.locator(`[id="${described}"]`).textContent(), { ...SOON, message: name })
        .toContain("Requires the reviewer role");
      await button.click({ force: true });
    }
    await page.keyboard.press("a");
    await app.getByRole("alert").getByText("Requires the reviewer role").first().waitFor();
    await page.keyboard.press("d");
    await expect.poll(() => app.getByRole("dialog").count(), SOON).toBe(0);

    const refused = await app.evaluate(async (orderId) => {
      const headers = { "Content-Type": "application/json", "X-Holdfast": "1" };
      const calls = [
        ["POST", `/api/orders/${orderId}/approve`],
        ["POST", `/api/orders/${orderId}/decline`],
        ["POST", `/api/orders/${orderId}/recheck`],
        ["POST", `/api/orders/${orderId}/note`],
        ["PUT", "/api/policy"],
        ["PUT", "/api/settings"],
        ["GET", "/api/people"],
        ["POST", "/api/people"],
      ] as const;
      return Promise.all(
        calls.map(async ([method, path]) => {
          const body = method === "GET" ? {} : { body: JSON.stringify({ note: "x" }) };
          return (await fetch(path, { method, headers, ...body })).status;
        }),
      );
    }, id);
    expect(refused).toEqual([403, 403, 403, 403, 403, 403, 403, 403]);
    expect(seeOnPlatform(stage, shop, id)).toMatchObject({ holds: 1, cancelled: false });
  });
});
