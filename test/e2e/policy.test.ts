import type { Frame } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { DEFAULT_POLICY } from "../../src/policy/policy.ts";
import { isBrowserMissing } from "../support/browser.ts";
import { createConsoleStage, type ConsoleStage, SOON } from "../support/console-stage.ts";
import type { ModelProposal } from "../../web/data/policy/model.ts";
import { makeFraudFilterExport } from "../support/fraud-filter-export.ts";
import { placeOrders, seeOnPlatform } from "../support/placed-orders.ts";

const MODEL = { center: 1, points: { "NIGHT:6": 9, "percentile:97": 12.5 } };
const PROPOSAL: ModelProposal = {
  since: "2025-11-20T00:00:00.000Z",
  until: "2026-11-20T00:00:00.000Z",
  days: 365,
  known: { fraud: 63, good: 1_204 },
  needed: { fraud: 25, good: 250 },
  offered: true,
  model: MODEL,
  comparison: { fraud: 38, good: 722, base: 0.7, model: 0.82, gain: 0.12, interval: [0.03, 0.21] },
  calibration: [],
  parts: [
    { feature: "percentile:97", title: "Larger than 97 to 100 % of the shop's orders", points: 12.5 },
    { feature: "NIGHT:6", title: "Ordered at night", points: 9 },
  ],
};

/** A row of the replay's table: before, after and the difference, without the sums. */
async function readTally(app: Frame, action: string): Promise<readonly string[]> {
  const cells = app
    .getByRole("region", { name: "Orders by action, before and after" })
    .getByRole("row", { name: action })
    .getByRole("cell");
  return cells.evaluateAll((all) => all.map((cell) => cell.textContent?.replaceAll("$", " $") ?? ""));
}

async function saveDraft(app: Frame): Promise<void> {
  await app.getByRole("button", { name: "Review and save" }).click();
  const dialog = app.getByRole("dialog", { name: "Save this policy?" });
  await dialog.getByText(/^Over the last/).waitFor();
  await dialog.getByRole("button", { name: "Save", exact: true }).click();
  await app.getByText("Policy saved.").first().waitFor();
  await dialog.waitFor({ state: "detached" });
}

describe.skipIf(isBrowserMissing())("the policy", () => {
  let stage: ConsoleStage;

  beforeAll(async () => {
    stage = await createConsoleStage();
  });
  afterAll(() => stage.close());

  it.each([1280, 360])(
    "shows what a phantom policy decides differently on new orders, %i px wide",
    async (width) => {
      const shop = `phantom-${width}.myshopify.com`;
      await stage.get(shop, "api/policy");
      await placeOrders(stage, shop, [{ number: 1, as: "medium" }]);
      const draft = {
        ...DEFAULT_POLICY,
        rules: [{ name: "All", when: { minAmount: 0 }, then: { action: "hold" } }],
      };
      expect((await stage.send(shop, "PUT", "api/policy/phantom", { body: draft })).status).toBe(200);
      await placeOrders(stage, shop, [{ number: 2, as: "medium" }]);
      const opened = await stage.openEmbedded({ shop, viewport: { width, height: 800 }, withAxe: true });
      const { app } = opened;

      await opened.goTo("/policy/phantom");
      const rows = app
        .getByRole("table", { name: "Orders that the phantom policy would decide differently" })
        .getByRole("row");
      await rows.filter({ hasText: "#1002" }).waitFor();

      expect(await rows.filter({ hasText: "#100" }).allInnerTexts()).toEqual([
        expect.stringMatching(/#1002[^]*Tag[^]*Hold[^]*Rule “All”/),
      ]);
      expect(await app.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
      expect(await opened.findFaults()).toEqual([]);
      await app.getByRole("button", { name: "Open in the form" }).click();
      await app.getByText("1 change").first().waitFor();
    },
  );

  it.each([1280, 360])(
    "takes the shop's own model into the draft, and saves nothing, %i px wide",
    async (width) => {
      const shop = `model-${width}.myshopify.com`;
      await stage.install(shop);
      const opened = await stage.openEmbedded({
        shop,
        path: "/policy",
        viewport: { width, height: 800 },
        withAxe: true,
      });
      const { app, page } = opened;
      const suggestion = app.getByRole("button", { name: "Model from your orders" });
      const readModel = async () => (await stage.get(shop, "api/policy")).body as { localModel?: object };
      await suggestion.focus();
      await page.keyboard.press("Enter");
      await app.getByText("Not enough outcomes are known yet.").waitFor();
      expect(await app.getByRole("button", { name: "Use this model" }).count()).toBe(0);

      // The real answer takes a year of outcomes. This one has the route's type.
      await page.route("**/api/calibration/model", (route) => route.fulfill({ json: PROPOSAL }));
      await suggestion.click();
      await suggestion.click();
      const rows = app.getByRole("table", { name: "What the model adds to the standard points" });
      await expect
        .poll(() => rows.getByRole("row").filter({ hasText: "Ordered at night" }).allInnerTexts(), SOON)
        .toEqual([expect.stringMatching(/Ordered at night\s+\+9/)]);
      await app.getByRole("button", { name: "Use this model" }).click();
      await app.getByText("In this policy: a model that changes 2 signals.").first().waitFor();
      expect(await app.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
      expect(await opened.findFaults()).toEqual([]);
      expect(await readModel()).not.toHaveProperty("localModel");
    },
  );

  it.each([1280, 360])("imports 1,945 rules of the Fraud Filter into a draft, %i px wide", async (width) => {
    const shop = `fraud-filter-${width}.myshopify.com`;
    await stage.install(shop);
    const opened = await stage.openEmbedded({
      shop,
      path: "/policy",
      viewport: { width, height: 800 },
      withAxe: true,
    });
    // A file without the columns is refused.
    opened.expectProblem(/422 \(Unprocessable/);
    const { app } = opened;
    await app.getByRole("button", { name: "Import Fraud Filter rules" }).click();
    const dialog = app.getByRole("dialog", { name: "Import Fraud Filter rules" });
    const choose = (csv: string) =>
      dialog
        .getByLabel("CSV file")
        .setInputFiles({ name: "rules.csv", mimeType: "text/csv", buffer: Buffer.from(csv) });

    await choose("Rule,Then");
    await dialog.getByText(/missing: action, field, operator, value/).waitFor();
    await choose(makeFraudFilterExport());
    await dialog.getByText("1,905 of 1,945 rules imported: 4 rules and 300 blocked IP addresses.").waitFor();
    await dialog.locator("summary", { hasText: "40 rules weren’t imported" }).click();
    await dialog.getByRole("row", { name: /1907 Odd 0/ }).waitFor();
    expect(await opened.findFaults()).toEqual([]);
    expect(await app.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
    await dialog.getByRole("button", { name: "Add to the draft" }).click();
    await dialog.waitFor({ state: "detached" });
    await saveDraft(app);

    const { rules, lists } = (await stage.get(shop, "api/policy")).body as Record<string, readonly object[]>;
    expect([rules?.length, lists?.length]).toEqual([4, 300]);
  });

  it("shows what a change would have done, is followed once saved, and is rolled back", async () => {
    const shop = "policy.myshopify.com";
    await stage.install(shop);
    await placeOrders(stage, shop, [
      { number: 1, as: "low", amount: 40 },
      { number: 2, as: "medium", amount: 100 },
      { number: 3, as: "medium", amount: 50.5 },
      { number: 4, as: "high", amount: 300 },
      { number: 5, as: "critical", amount: 700 },
    ]);
    const paid = stage.service.calls.length;
    const opened = await stage.openEmbedded({ shop, path: "/policy" });
    const { app, page } = opened;

    await app.getByLabel("Medium risk: action").selectOption("hold");
    const flow = app.getByRole("list", { name: "Action changes" }).getByRole("listitem");
    await flow.waitFor();
    await expect.poll(() => flow.textContent(), SOON).toMatch(/Tag.*Hold.*2 orders.*\$150\.50/);
    await expect.poll(() => readTally(app, "Allow"), SOON).toEqual(["1 $40.00", "1 $40.00", "–"]);
    await expect.poll(() => readTally(app, "Tag"), SOON).toEqual(["2 $150.50", "0–", "−2"]);
    await expect.poll(() => readTally(app, "Hold"), SOON).toEqual(["1 $300.00", "3 $450.50", "+2"]);
    await expect.poll(() => readTally(app, "Cancel"), SOON).toEqual(["1 $700.00", "1 $700.00", "–"]);
    const examples = app.getByRole("region", { name: "Highest-value changes" }).getByRole("link");
    await expect.poll(() => examples.allTextContents(), SOON).toEqual(["#1002", "#1003"]);
    expect(stage.service.calls).toHaveLength(paid);

    await saveDraft(app);
    const [held = ""] = await placeOrders(stage, shop, [{ number: 6, as: "medium" }]);
    expect(seeOnPlatform(stage, shop, held)).toMatchObject({ holds: 1, tags: ["holdfast-medium"] });

    await opened.goTo("/policy/versions");
    const versions = app.getByRole("listitem").filter({ hasText: "Version 2" });
    await expect
      .poll(() => versions.textContent(), SOON)
      .toMatch(/Current.*Noor Haddad.*Medium risk changed/);
    await app.getByRole("button", { name: /^Default/ }).click();
    await app.getByRole("button", { name: "Roll back" }).click();
    await app.getByLabel("Medium risk: action").waitFor();
    await expect.poll(() => app.getByLabel("Medium risk: action").inputValue(), SOON).toBe("tag");
    await saveDraft(app);
    const [tagged = ""] = await placeOrders(stage, shop, [{ number: 7, as: "medium" }]);
    expect(seeOnPlatform(stage, shop, tagged)).toMatchObject({ holds: 0, tags: ["holdfast-medium"] });
    expect((await stage.get(shop, "api/policy")).body).toMatchObject(
      JSON.parse(JSON.stringify(DEFAULT_POLICY)) as object,
    );
    await page.reload();
  });

  it("keeps the second person's draft, and explains the conflict", async () => {
    const shop = "second.myshopify.com";
    const opened = await stage.openEmbedded({ shop, path: "/policy" });
    opened.expectProblem(/412 \(Precondition Failed\)/);
    const { app } = opened;
    await app.getByLabel("High risk: action").selectOption("cancel");
    // Another owner saves another change meanwhile.
    const theirs = { ...DEFAULT_POLICY, hold: { ...DEFAULT_POLICY.hold, deadlineHours: 99 } };
    const save = () => stage.send(shop, "PUT", "api/policy", { body: theirs, userId: "8" });
    expect((await save()).status).toBe(403);
    await stage.send(shop, "PUT", "api/people/person:8", { body: { role: "owner" } });
    expect((await save()).status).toBe(200);

    await app.getByRole("button", { name: "Review and save" }).click();
    const dialog = app.getByRole("dialog", { name: "Save this policy?" });
    await dialog.getByRole("button", { name: "Save", exact: true }).click();
    // In place, and as a message that disappears by itself.
    await app.getByText("Someone else changed the policy.").first().waitFor();
    await expect.poll(() => app.getByLabel("High risk: action").inputValue(), SOON).toBe("cancel");

    await app.getByRole("button", { name: "Keep my draft" }).click();
    await app.getByRole("button", { name: "Review and save" }).click();
    // What would undo the other change is listed before it happens.
    await dialog.getByText("99").first().waitFor();
    await dialog.getByRole("button", { name: "Save", exact: true }).click();
    await dialog.waitFor({ state: "detached" });
    expect((await stage.get(shop, "api/policy")).body).toMatchObject({
      levels: { high: { action: "cancel" } },
    });
  });

  it("keeps a draft over a reload, and warns before fewer orders are canceled", async () => {
    const opened = await stage.signIn({ path: "/policy" });
    const { app, page } = opened;
    // The browser asks before it leaves a page with a draft. This time the answer is yes.
    page.removeAllListeners("dialog");
    page.on("dialog", (dialog) => void dialog.accept());
    await app.getByLabel("Critical risk: action").selectOption("hold");
    await app.getByRole("strong").getByText("1 change", { exact: true }).waitFor();

    await page.reload();
    await expect.poll(() => app.getByLabel("Critical risk: action").inputValue(), SOON).toBe("hold");
    await app.getByRole("button", { name: "Review and save" }).click();
    const dialog = app.getByRole("dialog", { name: "Save this policy?" });
    await dialog.getByText("No longer canceled: critical risk.").waitFor();
  });

  it("names the fields that the server refuses, and loses nothing on a visit to the other views", async () => {
    const shop = "fields.myshopify.com";
    const opened = await stage.openEmbedded({ shop, path: "/policy" });
    opened.expectProblem(/422 \(Unprocessable/);
    const { app } = opened;

    await app.getByLabel("Deadline (hours)").fill("0");
    await app.getByText("Expected a whole number from 1 to 2160.").waitFor();
    await app.getByRole("strong").getByText("1 field to fix first.").waitFor();
    await opened.goTo("/orders");
    await opened.goTo("/policy");
    await expect.poll(() => app.getByLabel("Deadline (hours)").inputValue(), SOON).toBe("0");
    await app.getByRole("button", { name: "Discard" }).click();
    const dialog = app.getByRole("dialog", { name: "Discard your draft?" });
    await dialog.getByRole("button", { name: "Cancel" }).click();
    await expect.poll(() => app.getByLabel("Deadline (hours)").inputValue(), SOON).toBe("0");
    await app.getByRole("button", { name: "Discard" }).click();
    await dialog.getByRole("button", { name: "Discard" }).click();
    await expect
      .poll(() => app.getByLabel("Deadline (hours)").inputValue(), SOON)
      .toBe(String(DEFAULT_POLICY.hold.deadlineHours));
  });
});
