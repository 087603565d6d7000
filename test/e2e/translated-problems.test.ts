import type { Locator } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { isBrowserMissing } from "../support/browser.ts";
import { createConsoleStage, type ConsolePage, type ConsoleStage, SOON } from "../support/console-stage.ts";
import { createSay, toAccented } from "../support/console-texts.ts";

/** What is beside a field at fault: its hint and its problem. */
function readBeside(field: Locator): Promise<string> {
  return field.evaluate((one) =>
    (one.getAttribute("aria-describedby") ?? "")
      .split(" ")
      .map((id) => document.getElementById(id)?.textContent ?? "")
      .join(" "),
  );
}

/** Adds a rule for orders in one currency. */
async function addRule(
  { app }: ConsolePage,
  language: string,
  name: string,
  currency: string,
): Promise<void> {
  const say = createSay(language);
  await app.getByRole("button", { name: say("policy.add-rule") }).click();
  await app.getByRole("textbox", { name: say("policy.name"), exact: true }).fill(name);
  const form = app.getByRole("group", { name: say("policy.conditions") });
  await form.getByRole("button", { name: /USD/ }).click();
  await form.getByRole("textbox", { name: say("conditions.currency") }).fill(`${currency},`);
}

describe.skipIf(isBrowserMissing())("a request that the server refuses", () => {
  let stage: ConsoleStage;

  beforeAll(async () => {
    stage = await createConsoleStage();
  });
  afterAll(() => stage.close());

  /** Uses up the sandbox orders of the hour, then asks for one more in the console. */
  async function exceed(shop: string, language: string): Promise<ConsolePage> {
    await stage.install(shop);
    const body = { scenario: "low" };
    while ((await stage.send(shop, "POST", "api/setup/sandbox-order", { body })).status === 202);
    const opened = await stage.openEmbedded({ shop, path: "/settings/setup", language });
    opened.expectProblem(/429/);
    await opened.app.getByRole("button", { name: createSay(language)("setup.send-sandbox-order") }).click();
    return opened;
  }

  it.each([
    ["en", "You can create 30 sandbox orders per hour. Try again later."],
    ["de", "Du kannst 30 Sandbox-Bestellungen pro Stunde anlegen. Versuche es später erneut."],
    ["ja", "サンドボックス注文の作成は1時間に30件までです。後でもう一度お試しください。"],
    [
      "en-XA",
      `${toAccented("You can create")} 30 ${toAccented("sandbox orders per hour. Try again later.")}`,
    ],
  ])("says why in the page's language: %s", async (language, why) => {
    const { app } = await exceed(`limit-${language.toLowerCase()}.myshopify.com`, language);

    await app.getByText(why).waitFor();
  });

  it.each([
    ["en", /^Try again after \w+ \d+, 2\d{3}, \d+:\d\d [AP]M: 1,000\.$/],
    ["de", /^Diese Bestellung .* 1\.000-mal .*: \d+\. \w+\.? 2\d{3}, \d\d:\d\d\.$/],
  ])("writes times and numbers as the reader does: %s", async (language, why) => {
    const shop = `time-${language}.myshopify.com`;
    await stage.install(shop);
    const opened = await stage.openEmbedded({
      shop,
      path: "/settings/setup",
      language,
    });
    opened.expectProblem(/429/);
    const { app, page } = opened;
    const time = "2026-11-29T14:03:00.000Z";
    await page.route("**/api/setup/sandbox-order", (route) =>
      route.fulfill({
        status: 429,
        contentType: "application/problem+json",
        json: {
          type: "about:blank",
          title: "Too Many Requests",
          status: 429,
          detail: `Try again after ${time}: 1,000.`,
          refusal: "order-recheck-limit",
          params: { max: 1_000, time },
        },
      }),
    );
    await app.getByRole("button", { name: createSay(language)("setup.send-sandbox-order") }).click();

    await app.getByText(why).waitFor();
  });
});

describe.skipIf(isBrowserMissing())("a policy that the server refuses", () => {
  let stage: ConsoleStage;

  beforeAll(async () => {
    stage = await createConsoleStage();
  });
  afterAll(() => stage.close());

  async function openPolicy(shop: string, language: string): Promise<ConsolePage> {
    await stage.install(shop);
    const opened = await stage.openEmbedded({ shop, path: "/policy", language });
    opened.expectProblem(/422 \(Unprocessable|503 \(Service/);
    return opened;
  }

  it.each([
    [
      "de",
      "Gib eine ganze Zahl von 1 bis 2.160 ein.",
      "Wähle einen Namen mit Buchstaben und ohne @, denn Namen von Regeln sind für alle sichtbar.",
      "Diese Währung gibt es nicht. Verwende den Code aus drei Buchstaben, zum Beispiel USD.",
    ],
    [
      "ja",
      "1～2,160の整数を入力してください。",
      "ルール名は全員に表示されます。@を含まず、文字を含む名前にしてください。",
      "該当する通貨がありません。3文字のコード（例：USD）を入力してください。",
    ],
  ])("says why beside each field, and isn't saved: %s", async (language, deadline, name, currency) => {
    const opened = await openPolicy(`refused-${language}.myshopify.com`, language);
    const { app } = opened;
    const say = createSay(language);
    const hours = app.getByLabel(say("fields.deadline-hours"));

    // Without a replay, the page lets somebody save what the server refuses.
    await opened.page.route("**/api/policy/replay", (route) => route.fulfill({ status: 503 }));
    await hours.fill("99999");
    await app.getByRole("button", { name: say("policy.review-and-save") }).click();
    await app
      .getByRole("dialog")
      .getByRole("button", { name: say("policy.save"), exact: true })
      .click();
    await expect.poll(() => readBeside(hours), SOON).toContain(deadline);
    expect((await stage.get(`refused-${language}.myshopify.com`, "api/policy")).body).toMatchObject({
      hold: { deadlineHours: 72 },
    });
    await opened.page.keyboard.press("Escape");

    await opened.page.unroute("**/api/policy/replay");
    await hours.fill("48");
    await addRule(opened, language, "jane@example.com", "UDS");
    const ruleName = app.getByRole("textbox", { name: say("policy.name"), exact: true });
    await expect.poll(() => readBeside(ruleName), SOON).toContain(name);
    await app.getByText(currency).waitFor();
  });

  it("is in English, and says so, for a code that the page doesn't know", async () => {
    const opened = await openPolicy("refused-future.myshopify.com", "de");
    const { app, page } = opened;
    await page.route("**/api/policy/replay", (route) =>
      route.fulfill({
        status: 422,
        contentType: "application/problem+json",
        json: {
          type: "about:blank",
          title: "Unprocessable Content",
          status: 422,
          detail: "The policy wasn't tried.",
          errors: [{ path: "hold.deadlineHours", message: "expected an even number", code: "even" }],
        },
      }),
    );
    const hours = app.getByLabel(createSay("de")("fields.deadline-hours"));

    await hours.fill("71");
    await expect.poll(() => readBeside(hours), SOON).toContain("Expected an even number (Englisch).");
  });

  it("leaves no English in the accented language", async () => {
    const opened = await openPolicy("refused-accents.myshopify.com", "en-XA");
    const hours = opened.app.getByLabel(createSay("en-XA")("fields.deadline-hours"));

    await hours.fill("99999");
    await expect
      .poll(() => readBeside(hours), SOON)
      .toContain(`${toAccented("Expected a whole number from")} 1 ${toAccented("to")} 2,160.`);
  });
});
