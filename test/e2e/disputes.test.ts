import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readFile } from "node:fs/promises";
import { extractText, getDocumentProxy } from "unpdf";
import type { EmulatedDispute } from "../../tools/emulators/shopify/disputes.ts";
import { isBrowserMissing } from "../support/browser.ts";
import { findCut, findWide, PHONE } from "../support/console-places.ts";
import { createConsoleStage, type ConsoleStage, SOON } from "../support/console-stage.ts";
import { createSay } from "../support/console-texts.ts";
import { placeOrders } from "../support/placed-orders.ts";
import { toInquiry } from "../support/shop-orders.ts";
import { until } from "../support/until.ts";

const SCOPES = ["read_shopify_payments_disputes", "write_shopify_payments_dispute_evidences"];
const DAY_MS = 86_400_000;
/** A time zone in which it's about noon, so that no month ends while a test counts it. */
function toNoonZone(): string {
  const ahead = 12 - new Date().getUTCHours();
  // The names have the sign that ships use: east of Greenwich is minus.
  return ahead === 0 ? "Etc/GMT" : `Etc/GMT${ahead > 0 ? "-" : "+"}${Math.abs(ahead)}`;
}

/** The app goes by the real clock, so the deadline has to lie ahead of it. */
const dueBy = () => new Date(Date.now() + 3 * DAY_MS).toISOString();

describe.skipIf(isBrowserMissing())("disputes", () => {
  let stage: ConsoleStage;

  beforeAll(async () => {
    stage = await createConsoleStage();
  });
  afterAll(() => stage.close());

  /** A shop with one order, whose bank took the payment back. Shopify has its form. */
  async function dispute(
    shop: string,
    form: Partial<EmulatedDispute> = {},
    scopes: readonly string[] = SCOPES,
  ) {
    const [orderId = ""] = await placeOrders(stage, shop, [{ number: 1, as: "low" }]);
    const emulated = stage.emulator.shop(shop);
    for (const scope of scopes) emulated.grant(scope);
    const kept: EmulatedDispute = {
      id: "77",
      status: "NEEDS_RESPONSE",
      evidenceDueBy: dueBy(),
      evidenceSentOn: null,
      evidence: {},
      ...form,
    };
    emulated.disputes.push(kept);
    await raise(shop, orderId, 77);
    return { orderId, form: kept };
  }

  async function raise(shop: string, orderId: string, id: number): Promise<void> {
    const changes = {
      id,
      type: "chargeback",
      evidence_due_by: dueBy(),
      initiated_at: new Date().toISOString(),
    };
    await stage.deliver({ shop, topic: "disputes/create", body: toInquiry(orderId, changes) });
    await until(async () => {
      const { body } = await stage.get(shop, `api/orders/${orderId}`);
      return (body as { disputes: readonly object[] }).disputes.length > 0;
    });
  }

  it("can be read in the dark, where the console stands alone", async () => {
    const say = createSay("en");
    const shop = "dark.myshopify.com";
    const { orderId } = await dispute(shop);
    const { body } = await stage.send(shop, "POST", "api/people", { body: { name: "Night", role: "owner" } });
    const opened = await stage.signIn({
      token: (body as { token: string }).token,
      colorScheme: "dark",
      path: `/orders/${orderId}`,
      withAxe: true,
    });
    const { app } = opened;
    await app.getByRole("button", { name: say("evidence.open"), exact: true }).click();
    const dialog = app.getByRole("dialog", { name: say("evidence.title", { name: "#1001" }) });
    await dialog.getByRole("heading", { name: say("evidence.missing") }).waitFor();
    const paper = await dialog.evaluate((box) => getComputedStyle(box).backgroundColor);
    expect(Math.max(...(paper.match(/[\d.]+/g) ?? []).map(Number)), paper).toBeLessThan(64);
    expect(await opened.findFaults()).toEqual([]);

    await dialog.getByLabel(say("evidence.communication")).fill("She wrote: it arrived");
    await dialog.getByRole("button", { name: say("evidence.preview") }).click();
    await dialog.getByText(say("evidence.exactly-this")).waitFor();
    expect(await opened.findFaults()).toEqual([]);
  });

  it.each([
    ["en", 1280],
    ["de", PHONE.width],
  ])(
    "shows exactly what it saves as a draft in Shopify, and submits nothing (%s, %i px)",
    async (language, width) => {
      const say = createSay(language);
      const shop = `draft-${language}.myshopify.com`;
      const { orderId, form } = await dispute(shop, { evidence: { customerFirstName: "Janet" } });
      const opened = await stage.openEmbedded({
        shop,
        language,
        viewport: { width, height: 800 },
        path: `/orders/${orderId}`,
        withAxe: true,
      });
      const { app } = opened;
      const bankWaits = new RegExp(say("order.bank-waits", { time: "@", deadline: "@" }).split("@")[0] ?? "");
      await app.locator(".verdict").getByText(bankWaits).waitFor();
      await app.getByRole("button", { name: say("evidence.open"), exact: true }).click();
      const dialog = app.getByRole("dialog", { name: say("evidence.title", { name: "#1001" }) });
      await dialog.getByRole("heading", { name: say("evidence.missing") }).waitFor();
      expect(await opened.findFaults()).toEqual([]);

      await dialog.getByLabel(say("evidence.communication")).fill("She wrote: <b>it arrived</b>");
      await dialog.getByRole("button", { name: say("evidence.preview") }).click();
      await dialog.getByText(say("evidence.exactly-this")).waitFor();
      const shown = Object.fromEntries(
        await dialog
          .locator("dl > div")
          .evaluateAll((rows) => rows.map((row) => [...row.children].map((cell) => cell.textContent))),
      ) as Record<string, string>;
      expect(await opened.findFaults()).toEqual([]);
      expect(await findWide(opened, "preview")).toEqual([]);
      expect(await findCut(opened, "preview")).toEqual([]);
      expect(form.evidence).toEqual({ customerFirstName: "Janet" });
      // What people wrote in Shopify stays.
      expect(shown[say("evidence.first-name")]).toBe(say("evidence.stays"));

      await dialog.getByRole("button", { name: say("evidence.save") }).click();
      await app.getByText(say("evidence.saved")).waitFor();
      await dialog.waitFor({ state: "detached" });
      expect(form.evidenceSentOn).toBeNull();
      const { evidence } = form;
      expect(evidence["customerFirstName"]).toBe("Janet");
      expect(evidence["uncategorizedText"]).toMatch(/\nShe|She wrote: <b>it arrived<\/b>$/);
      expect({
        email: evidence["customerEmailAddress"],
        last: evidence["customerLastName"],
        log: evidence["accessActivityLog"],
        statement: evidence["uncategorizedText"],
      }).toEqual({
        email: shown[say("evidence.email")],
        last: shown[say("evidence.last-name")],
        log: shown[say("evidence.access-log")],
        statement: shown[say("evidence.statement")],
      });
      // In its list, the order has the bank's deadline too.
      await opened.goTo("/orders");
      const bankDeadline = say("order.bank-deadline", { deadline: "@" }).split("@")[0]?.trim() ?? "";
      await app.locator(`[data-order="${orderId}"]`).getByText(bankDeadline).waitFor();
    },
  );

  it.each([
    ["why-not-allowed", {}, SCOPES.slice(0, 1)],
    ["why-unknown", { id: "78" }, SCOPES],
    ["why-submitted", { evidenceSentOn: "2026-11-19T00:00:00Z" }, SCOPES],
    ["why-past-due", { evidenceDueBy: "2026-01-01T00:00:00Z" }, SCOPES],
  ] as const)("says why it can't save a draft, and offers the download: %s", async (why, form, scopes) => {
    const say = createSay("en");
    const shop = `${why}.myshopify.com`;
    const { orderId } = await dispute(shop, form, scopes);
    const { app, page } = await stage.openEmbedded({ shop, path: `/orders/${orderId}` });
    await app.getByRole("button", { name: say("evidence.open"), exact: true }).click();
    const dialog = app.getByRole("dialog");
    await dialog.getByRole("button", { name: say("evidence.preview") }).click();

    await dialog.getByText(say(`evidence.${why}`)).waitFor();
    expect(await dialog.getByRole("button", { name: say("evidence.save") }).count()).toBe(0);
    const [download] = await Promise.all([
      page.waitForEvent("download"),
      dialog.getByRole("button", { name: say("order.download-evidence") }).click(),
    ]);
    expect(download.suggestedFilename()).toBe(`evidence-${orderId}.json`);
    const pack = JSON.parse(await readFile(await download.path(), "utf8")) as object;
    expect(pack).toMatchObject({ order: { orderId }, dispute: { disputeId: "77" } });

    await dialog.getByLabel(say("evidence.communication")).fill("It came, said Jane");
    const [file] = await Promise.all([
      page.waitForEvent("download"),
      dialog.getByRole("button", { name: say("evidence.pdf") }).click(),
    ]);
    expect(file.suggestedFilename()).toBe(`evidence-${orderId}.pdf`);
    const { text } = await extractText(
      await getDocumentProxy(new Uint8Array(await readFile(await file.path()))),
      { mergePages: true },
    );
    expect(text).toMatch(/Dispute\s+77/);
    expect(text).toContain("It came, said Jane");
  });

  it("saves nothing that nobody has seen: it shows the evidence again if it changed, or why it can't be saved", async () => {
    const say = createSay("en");
    const shop = "changed.myshopify.com";
    const { orderId, form } = await dispute(shop);
    const opened = await stage.openEmbedded({ shop, path: `/orders/${orderId}` });
    const { app } = opened;
    await app.getByRole("button", { name: say("evidence.open"), exact: true }).click();
    const dialog = app.getByRole("dialog");
    await dialog.getByRole("button", { name: say("evidence.preview") }).click();
    await dialog.getByText(say("evidence.exactly-this")).waitFor();

    // The same buyer orders again, which is a fact about this order.
    await placeOrders(stage, shop, [{ number: 2, as: "low" }]);
    opened.expectProblem(/412 \(Precondition/);
    await dialog.getByRole("button", { name: say("evidence.save") }).click();
    await dialog.getByText(say("evidence.changed")).waitFor();
    expect(form.evidence).toEqual({});

    form.evidenceSentOn = "2026-11-28T10:00:00Z";
    opened.expectProblem(/409 \(Conflict/);
    await dialog.getByRole("button", { name: say("evidence.save") }).click();
    await dialog.getByText(say("evidence.why-submitted")).waitFor();
    expect(await dialog.getByRole("button", { name: say("evidence.save") }).count()).toBe(0);
    expect(form.evidence).toEqual({});
  });

  it("shows a month's disputes against the limits, once there are enough to tell", async () => {
    const shop = "gauge.myshopify.com";
    stage.emulator.shop(shop).locale = { currencyCode: "USD", ianaTimezone: toNoonZone() };
    const numbers = Array.from({ length: 10 }, (_, at) => at + 1);
    const ids = await placeOrders(
      stage,
      shop,
      numbers.map((number) => ({ number, as: "low" })),
    );
    for (const [at, id] of ids.slice(0, 9).entries()) await raise(shop, id, 100 + at);
    for (const [language, width] of [
      ["en", 1280],
      ["de", PHONE.width],
    ] as const) {
      const say = createSay(language);
      const viewport = { width, height: 800 };
      const opened = await stage.openEmbedded({ shop, language, viewport, path: "/report", withAxe: true });
      const { app, page } = opened;
      const gauge = app.getByRole("region", { name: say("evidence.gauge") });
      const answered = () => page.waitForResponse(/api\/report\/disputes$/);
      if (language === "en") {
        // Nine disputes are too few.
        const [answer] = await Promise.all([
          answered(),
          opened.goTo("/queue").then(() => opened.goTo("/report")),
        ]);
        expect(await answer.json()).toMatchObject({ state: "few", disputes: 9 });
        expect(await gauge.count()).toBe(0);
        await raise(shop, ids[9] ?? "", 109);
      }
      await opened.goTo("/queue");
      const [answer] = await Promise.all([answered(), opened.goTo("/report")]);
      const month = (await answer.json()) as { state: string; forecast: object | null };
      expect(month).toMatchObject({ state: "calm", disputes: 10, orders: 10, share: 1, limitCount: 1_500 });
      await gauge.getByText(say("evidence.tc40")).waitFor();
      await gauge.getByText(/VAMP/).waitFor();
      expect(await gauge.getByRole("meter").count()).toBe(2);
      const words = month.forecast === null ? "too-early" : "range";
      await gauge.getByText(say(`evidence.${words}`, { ...month.forecast }), { exact: true }).waitFor();
      expect(await opened.findFaults()).toEqual([]);
      expect(await findWide(opened, "/report")).toEqual([]);

      // On the first days of a month there is no forecast.
      await page.route(/api\/report\/disputes$/, (route) =>
        route.fulfill({ json: { ...month, forecast: null, state: "over", limitCount: 5 } }),
      );
      await opened.goTo("/queue");
      await opened.goTo("/report");
      await gauge.getByText(say("evidence.too-early")).waitFor();
      await expect.poll(() => gauge.getByText(/VAMP/).count(), SOON).toBe(0);
      expect(await opened.findFaults()).toEqual([]);
    }
  });

  it.each([
    ["en", 1280],
    ["de", PHONE.width],
  ])("keeps orders only after an opt-in, and takes other limits (%s, %i px)", async (language, width) => {
    const say = createSay(language);
    const shop = `keeping-${language}.myshopify.com`;
    const viewport = { width, height: 800 };
    const opened = await stage.openEmbedded({
      shop,
      language,
      viewport,
      path: "/settings/disputes",
      withAxe: true,
    });
    const { app } = opened;
    const form = app.getByRole("region", { name: say("order.disputes") });
    const days = form.getByLabel(say("evidence.keep-days"));
    const share = form.getByLabel(say("evidence.limit-share"));
    const save = form.getByRole("button", { name: say("evidence.save-settings"), exact: true });
    const read = async () => ((await stage.get(shop, "api/settings")).body as { disputes: object }).disputes;
    expect([await days.inputValue(), await share.inputValue()]).toEqual(["", "1.5"]);
    expect(await opened.findFaults()).toEqual([]);
    expect(await findWide(opened, "/settings/disputes")).toEqual([]);

    await days.fill("400");
    await share.fill("0.9");
    await save.click();
    await app.getByText(say("evidence.settings-saved")).waitFor();
    expect(await read()).toMatchObject({ keepDays: 400, limitShare: 0.009, limitCount: 1_500 });

    // What isn't a number must not turn it off.
    opened.expectProblem(/422 \(Unprocessable/);
    await days.fill("4oo");
    await share.fill("1,5");
    await save.click();
    await form.getByText(say("evidence.limit-percent")).waitFor();
    expect(await days.getAttribute("aria-invalid")).toBe("true");
    expect(await read()).toMatchObject({ keepDays: 400, limitShare: 0.009 });

    await share.fill("0.9");
    await days.fill("");
    await form.getByText(say("evidence.off-deletes")).waitFor();
    expect(await opened.findFaults()).toEqual([]);
    await save.click();
    await until(async () => expect(await read()).toMatchObject({ keepDays: null, keptFrom: null }));
  });
});
