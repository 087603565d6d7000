import { createRequire } from "node:module";
import { extractText, getDocumentProxy } from "unpdf";
import { describe, expect, it, vi } from "vitest";
import type { Shipping } from "../../../src/platform/evidence.ts";
import type { ServerParts } from "../../../src/server/parts/server-parts.ts";
import { entry } from "../../store/samples.ts";
import { AS_SHOP_A, createFakePlatform, keepOrder, startConsole, type ConsoleApp } from "../console-app.ts";

const DAY_MS = 86_400_000;
const RAISED_MS = 1_700_000_000_000 + 10 * DAY_MS;
const SENT: Shipping = {
  shipments: [
    {
      sentAtMs: RAISED_MS - 8 * DAY_MS,
      deliveredAtMs: RAISED_MS - 5 * DAY_MS,
      carrier: "UPS",
      trackingNumbers: ["1Z1"],
    },
  ],
  hasMore: false,
  unsentUnits: 0,
};
const require = createRequire(import.meta.url);
const DEJAVU = {
  path: require.resolve("dejavu-fonts-ttf/ttf/DejaVuSans.ttf"),
  face: undefined,
};

interface Changes extends Pick<Partial<ServerParts>, "pdfFonts"> {
  readonly customerName?: string;
  readonly itemName?: string;
}

async function start({ customerName = "Jane Doe", itemName = "Lamp", pdfFonts }: Changes = {}) {
  const platform = createFakePlatform({ readShipments: async () => SENT });
  const app = await startConsole({ platforms: [platform], pdfFonts });
  const order = {
    customerName,
    items: [{ name: itemName, quantity: 2, price: 20 }],
    ipAddress: "203.0.113.7",
  };
  await keepOrder(app.store, "1", { order, decided: { level: "low", action: "allow" } });
  const dispute = {
    disputeId: "d1",
    orderId: "1",
    kind: "chargeback",
    status: "open",
    reason: "fraudulent",
    isFraud: true,
    initiatedAtMs: RAISED_MS,
    evidenceDueAtMs: RAISED_MS + DAY_MS,
    networkCode: "10.4",
  } as const;
  await app.store.outcomes.recordDispute(
    { tenant: "fake:a.example", orderId: "1" },
    dispute,
    entry("dispute", RAISED_MS),
  );
  return app;
}

const print = (app: ConsoleApp, body: object = {}, headers: Record<string, string> = AS_SHOP_A) =>
  app.send("POST", "/api/orders/1/evidence/pdf", {
    headers: { ...headers, "content-type": "application/json" },
    body: JSON.stringify(body),
  });

async function read(answer: Response) {
  const bytes = new Uint8Array(await answer.arrayBuffer());
  const raw = Buffer.from(bytes).toString("latin1");
  const { text } = await extractText(await getDocumentProxy(bytes));
  return { raw, pages: text, text: text.join("\n").replaceAll(/\s+/g, " ") };
}

describe("POST /api/orders/:orderId/evidence/pdf", () => {
  it("is what a bank's clerk looks for, with the pasted messages, on numbered pages", async () => {
    const answer = await print(await start(), {
      disputeId: "d1",
      communication: "She wrote: <b>it came</b>",
    });

    expect(answer.status).toBe(200);
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      "content-type": "application/pdf",
      "content-disposition": 'attachment; filename="evidence-1.pdf"',
      "cache-control": "no-store",
      "x-content-type-options": "nosniff",
    });
    const { text, raw, pages } = await read(answer);
    for (const part of [
      "Shop a.example",
      "Amount USD 59.90",
      "Reason fraudulent, network code 10.4",
      "checked the order on 2023-11-14",
      "Its risk level: low",
      "Buyer Jane Doe",
      "2 × Lamp",
      "The order was placed from the IP address",
      "One parcel was delivered on 2023-11-19 with UPS, tracking number 1Z1.",
      "She wrote: <b>it came</b>",
      `Page 1 of ${pages.length}`,
    ])
      expect(text).toContain(part);
    // That is for the shop, and not for the bank.
    expect(text).not.toContain("copy them from the shop's settings");
    expect(raw).not.toMatch(/\/(?:JS|JavaScript|OpenAction|AA|URI|Launch|EmbeddedFile|AcroForm)\b/);
    expect(raw).toMatch(/\/Lang \(en\)/);
  });

  it("takes the newest dispute, says that no messages are in it, and numbers every page of a long text", async () => {
    const app = await start();
    expect((await read(await print(app))).text).toContain("None are included in this file.");

    const { pages } = await read(await print(app, { communication: "word\n".repeat(900) }));
    expect(pages.length).toBeGreaterThan(10);
    for (const page of pages) expect(page).toContain("a.example · Order #1 · Made ");
    expect(pages.map((page) => /Page \d+ of \d+/.exec(page)?.[0])).toEqual(
      pages.map((_, index) => `Page ${index + 1} of ${pages.length}`),
    );
  });

  it("names what it has no font for, in place of garbage", async () => {
    const { text } = await read(
      await print(await start({ customerName: "Łukasz 山田 Иван", itemName: "🎁 box" })),
    );

    expect(text).toContain("Buyer Lukasz [U+5C71][U+7530] [U+0418][U+0432][U+0430][U+043D]");
    expect(text).toContain("2 × [U+1F381] box");
    expect(text).toContain("Letters shown without their marks: U+0141 as L.");
    expect(text).toContain("[U+…] stands for a character by its Unicode number");
  });

  it("uses the fonts that are configured, and does without one that can't be read", async () => {
    const app = await start({
      customerName: "Łukasz Иван علي 山田",
      pdfFonts: [{ path: "/nowhere/Font.ttf", face: undefined }, DEJAVU],
    });
    const { text, raw } = await read(await print(app));

    expect(text).toContain("Buyer Łukasz Иван علي [U+5C71][U+7530]");
    expect(raw).toContain("DejaVuSans");
    expect(app.log()).toContain("a font of PDF_FONTS can't be used");
    expect(app.log()).not.toContain("Łukasz");
  });

  it("is for reviewers of the shop, and each one is in the access log", async () => {
    const app = await start();
    expect((await print(app, {}, {})).status).toBe(401);
    expect((await print(app, {}, { authorization: "Bearer session.of.b" })).status).toBe(404);
    expect((await print(app, { disputeId: "other" })).status).toBe(409);
    expect((await print(app, { communication: "x".repeat(5_001) })).status).toBe(422);

    const { entries } = (await (await app.get("/api/access-log", AS_SHOP_A)).json()) as {
      readonly entries: readonly { readonly what: string }[];
    };
    expect(entries.map(({ what }) => what)).toContain("evidence");
  });

  it("says which package is missing", async () => {
    vi.doMock("pdfkit", () => ({
      // A factory that throws is another error.
      get default(): never {
        throw Object.assign(new Error("Cannot find package 'pdfkit'"), { code: "ERR_MODULE_NOT_FOUND" });
      },
    }));
    try {
      const answer = await print(await start());
      expect(answer.status).toBe(501);
      expect(await answer.json()).toMatchObject({
        refusal: "pdf-package-missing",
        detail: expect.stringContaining("npm install pdfkit@0.20"),
      });
    } finally {
      vi.doUnmock("pdfkit");
    }
  });
});
