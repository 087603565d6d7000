import { runInNewContext } from "node:vm";
import { describe, expect, it } from "vitest";
import { PROBLEM_WORDS } from "../../src/console/problem-words.ts";
import { ERROR_CODES } from "../../src/errors.ts";
import { CONSOLE_TOKEN, keepOrder, startConsole, type ConsoleApp, type KeptOrder } from "./console-app.ts";
import { TinyDocument, type TinyElement } from "./tiny-dom.ts";

const SESSION = "session.of.a";

interface OpenPage {
  readonly requests: readonly { readonly path: string; readonly headers: Record<string, string> }[];
  byId(id: string): TinyElement;
  message(): string;
  signIn(token: string): boolean;
}

/** Load the page and run its script as a browser would. `platformToken` stands for what a platform's own script adds. */
async function openPage(app: ConsoleApp, path = "/", platformToken?: string): Promise<OpenPage> {
  const page = await (await app.get(path)).text();
  const script = await (await app.get("/assets/console.js")).text();
  const document = new TinyDocument(page);
  const requests: { path: string; headers: Record<string, string> }[] = [];
  const browserFetch = (address: string, init: { headers: Record<string, string> }) => {
    requests.push({ path: address, headers: { ...init.headers } });
    const added = platformToken === undefined ? {} : { authorization: `Bearer ${platformToken}` };
    return fetch(`${app.origin}${address}`, { headers: { ...init.headers, ...added } });
  };
  runInNewContext(script, { document, fetch: browserFetch, URLSearchParams });
  const byId = (id: string) => document.getElementById(id);
  return {
    requests,
    byId,
    message: () => byId("message").textContent,
    signIn(token) {
      byId("token").value = token;
      return byId("sign-in-form").fire("submit");
    },
  };
}

const rowsOf = (page: OpenPage) => page.byId("rows").elements.map(({ textContent }) => textContent);

async function startWithOrders(): Promise<ConsoleApp> {
  const app = await startConsole();
  const kept = { tenant: "default", receivedAtMs: 1_700_000_000_000 };
  await keepOrder(app.store, "1", { ...kept, name: "#1001", decided: { level: "low", action: "allow" } });
  await keepOrder(app.store, "2", {
    ...kept,
    name: '<img src=x onerror="alert(1)">',
    receivedAtMs: kept.receivedAtMs + 1,
    decided: { level: "high", action: "hold" },
    state: "review",
  });
  return app;
}

/** What the page says above all else when an order is opened. */
async function openNotices(kept: KeptOrder): Promise<readonly TinyElement[]> {
  const app = await startConsole();
  const decided = { level: "high", action: "hold" } as const;
  await keepOrder(app.store, "1", { tenant: "default", decided, ...kept });
  const page = await openPage(app);
  page.signIn(CONSOLE_TOKEN);
  await expect.poll(() => page.message()).toBe("1 order shown.");
  page.byId("rows").all("button")[0]?.fire("click");
  await expect.poll(() => page.byId("order").hidden).toBe(false);
  const { elements } = page.byId("order-body");
  return elements.slice(
    0,
    elements.findIndex(({ tag }) => tag === "dl"),
  );
}

const textsOf = (elements: readonly TinyElement[]) => elements.map(({ textContent }) => textContent);
const classesOf = (elements: readonly TinyElement[]) => elements.map((one) => one.attributes.get("class"));

describe("the console page's script", () => {
  it("waits for the token, alone on its page", async () => {
    const page = await openPage(await startConsole());

    expect(page.byId("sign-in").hidden).toBe(false);
    expect(page.byId("orders").hidden).toBe(true);
    expect(page.requests).toEqual([]);
  });

  it("lists orders after the sign-in, with what came over the network as text", async () => {
    const page = await openPage(await startWithOrders());

    expect(page.signIn(` ${CONSOLE_TOKEN} `)).toBe(true);

    await expect.poll(() => page.message()).toBe("2 orders shown.");
    expect(rowsOf(page)[0]).toMatch(/<img src=x onerror="alert\(1\)"> high 73 hold review .*2023/);
    expect(rowsOf(page)[1]).toMatch(/#1001 low 12 allow settled/);
    expect(page.byId("sign-in").hidden).toBe(true);
    expect(page.byId("orders").hidden).toBe(false);
  });

  it("keeps the token out of the form and out of every address", async () => {
    const page = await openPage(await startWithOrders());

    page.signIn(CONSOLE_TOKEN);
    await expect.poll(() => page.byId("overview").hidden).toBe(false);

    expect(page.byId("token").value).toBe("");
    expect(page.requests.map(({ path }) => path).join()).not.toContain(CONSOLE_TOKEN);
    expect(page.requests.every(({ headers }) => headers["authorization"] === `Bearer ${CONSOLE_TOKEN}`)).toBe(
      true,
    );
  });

  it("shows mode and credits", async () => {
    const app = await startWithOrders();
    await app.store.savePolicy("default", { mode: "shadow" }, undefined, 1);
    const page = await openPage(app);

    page.signIn(CONSOLE_TOKEN);

    await expect.poll(() => page.byId("overview").hidden).toBe(false);
    expect(page.byId("facts").textContent).toMatch(/Mode shadow .* Credits this month 20 of 100/);
    expect(page.byId("shadow").hidden).toBe(false);
  });

  it("asks again after a wrong token", async () => {
    const page = await openPage(await startWithOrders());

    page.signIn("wrong");

    await expect.poll(() => page.message()).toBe("That token was not accepted.");
    expect(page.byId("sign-in").hidden).toBe(false);
    expect(page.byId("token").focused).toBe(true);
    expect(page.byId("orders").hidden).toBe(true);
    page.signIn(CONSOLE_TOKEN);
    await expect.poll(() => page.message()).toBe("2 orders shown.");
  });

  it("filters", async () => {
    const page = await openPage(await startWithOrders());
    page.signIn(CONSOLE_TOKEN);
    await expect.poll(() => page.message()).toBe("2 orders shown.");

    page.byId("filter-level").value = "low";
    page.byId("filters").fire("change");

    await expect.poll(() => page.message()).toBe("1 order shown.");
    expect(rowsOf(page)).toEqual([expect.stringContaining("#1001")]);
    page.byId("filter-state").value = "failed";
    page.byId("filters").fire("change");
    await expect.poll(() => page.message()).toBe("No orders to show.");
  });

  it("adds older orders", async () => {
    const app = await startConsole();
    for (let index = 0; index < 30; index += 1) {
      await keepOrder(app.store, `o${index}`, { tenant: "default", receivedAtMs: 1_700_000_000_000 + index });
    }
    const page = await openPage(app);
    page.signIn(CONSOLE_TOKEN);
    await expect.poll(() => page.message()).toBe("25 orders shown.");
    expect(page.byId("more").hidden).toBe(false);

    page.byId("more").fire("click");

    await expect.poll(() => page.message()).toBe("30 orders shown.");
    expect(page.byId("more").hidden).toBe(true);
    expect(new Set(rowsOf(page)).size).toBe(30);
  });

  it("opens an order and says why", async () => {
    const page = await openPage(await startWithOrders());
    page.signIn(CONSOLE_TOKEN);
    await expect.poll(() => page.message()).toBe("2 orders shown.");

    page.byId("rows").all("button")[0]?.fire("click");

    await expect.poll(() => page.byId("order").hidden).toBe(false);
    expect(page.byId("order-title").textContent).toBe('Order <img src=x onerror="alert(1)">');
    expect(page.byId("order-title").focused).toBe(true);
    const body = page.byId("order-body").textContent;
    for (const part of ["level:high", "Example (high): Example description", "An example.", "Look at it."]) {
      expect(body).toContain(part);
    }
    expect(body).toContain("tag: done tag added");
    expect(body).toContain("decided: hold (holdfast)");
    page.byId("close").fire("click");
    expect(page.byId("order").hidden).toBe(true);
  });

  it("says of a failed order what stands in its way", async () => {
    const notices = await openNotices({
      state: "failed",
      problem: "cancel:already-fulfilled hold:<img/src=x>",
    });

    expect(textsOf(notices)).toEqual([
      "Holdfast gave up: somebody has to look at this order. Because: " +
        "cancel: it has shipped already (already-fulfilled); hold: <img/src=x>.",
    ]);
    expect(classesOf(notices)).toEqual(["notice bad"]);
  });

  it("says of a waiting order what it waits for, once", async () => {
    const problem = "PLATFORM_UNAUTHORIZED PLATFORM_UNAUTHORIZED constructor";

    const notices = await openNotices({ state: "waiting", problem });

    expect(textsOf(notices)).toEqual([
      "Waiting: Holdfast tries again by itself. Because: Holdfast has no access to the shop: " +
        "open the app there once (PLATFORM_UNAUTHORIZED); constructor.",
    ]);
    expect(classesOf(notices)).toEqual(["notice"]);
  });

  it("says what could not be done of an order that came to rest", async () => {
    const notices = await openNotices({ state: "settled", problem: "tag:tags-refused" });

    expect(textsOf(notices)).toEqual([
      "Not everything could be done. Because: tag: the platform does not take the tags (tags-refused).",
    ]);
  });

  it("says that an order was decided without the service, and why", async () => {
    const notices = await openNotices({ degraded: "VERIFICATION_NO_CREDITS" });

    expect(textsOf(notices)).toEqual([
      "Decided without the verification service: the credits are used up: buy more (VERIFICATION_NO_CREDITS).",
    ]);
  });

  it("says until when a held order waits for a person, and that the time is over", async () => {
    const inTime = Date.UTC(2999, 0, 31);
    const [held] = await openNotices({ state: "review", holdDeadlineMs: inTime });
    expect(held?.textContent).toContain("On hold: somebody should decide before");
    expect(held?.all("time").map((one) => one.attributes.get("datetime"))).toEqual([
      "2999-01-31T00:00:00.000Z",
    ]);
    expect(held?.attributes.get("class")).toBe("notice");

    const [over] = await openNotices({ state: "review", holdDeadlineMs: Date.UTC(2020, 0, 31) });
    expect(over?.textContent).toContain("Nobody has decided, and the hold was to end");
    expect(over?.attributes.get("class")).toBe("notice bad");
  });

  it("says nothing of the kind of an order with which all is well", async () => {
    expect(await openNotices({ state: "settled" })).toEqual([]);
  });

  it("has words for every error that can stop an order", () => {
    const stopping = ERROR_CODES.filter((code) =>
      /^(?:VERIFICATION|PLATFORM)_|_SPENT$|^INTERNAL$/.test(code),
    );
    expect(Object.keys(PROBLEM_WORDS)).toEqual(expect.arrayContaining(stopping));
  });

  it("loads at once where a platform's script signs the requests", async () => {
    const app = await startConsole();
    await keepOrder(app.store, "1", { name: "#1001" });

    const page = await openPage(app, "/?shop=a.example&host=x", SESSION);

    await expect.poll(() => page.message()).toBe("1 order shown.");
    expect(rowsOf(page)[0]).toMatch(/#1001 not judged – received/);
    expect(page.byId("sign-in").hidden).toBe(true);
    expect(page.requests[0]?.headers["authorization"]).toBeUndefined();
  });

  it("says so when the platform's session has ended", async () => {
    const page = await openPage(await startConsole(), "/?shop=a.example&host=x", "gone");

    await expect.poll(() => page.message()).toBe("The session has ended. Load the page again.");
    expect(page.byId("sign-in").hidden).toBe(true);
  });

  it("says what the server says is wrong", async () => {
    const app = await startConsole();
    for (let guess = 0; guess < 20; guess += 1) {
      await app.get("/api/orders", { authorization: "Bearer wrong" });
    }
    const page = await openPage(app);

    page.signIn(CONSOLE_TOKEN);

    await expect.poll(() => page.message()).toContain("too many wrong tokens");
  });
});
