import { describe, expect, it } from "vitest";
import { startConsole, AS_OPERATOR } from "../console-app.ts";
import { bearer, givePerson } from "../sign-in/signed-in.ts";
import { checkOf, keyOf, now, openBuyerShopForEach, shop, TENANT } from "../../support/buyer-shop.ts";
import { holdForEvidence, JPEG, upload } from "../../support/buyer-uploads.ts";

openBuyerShopForEach();

/** The console over the same store. */
async function start() {
  const { store, platform } = shop;
  // The shop's own test closes the store.
  const shared = { ...store, close: async () => {} };
  return startConsole({ store: shared, platforms: [platform], consoleTenant: TENANT, now });
}

describe("a file from a buyer", () => {
  it("is downloaded as bytes by a reviewer, which the access log records, and never shown", async () => {
    const html = Buffer.concat([JPEG, Buffer.from("<script>alert(1)</script>")]);
    await upload(await holdForEvidence(), {
      note: "It was <b>me",
      file: html,
      name: "x.html",
      type: "text/html",
    });
    const app = await start();
    const shown = (await (await app.get("/api/orders/1", AS_OPERATOR)).json()) as { buyerFiles: unknown[] };
    const id = (await checkOf("1"))?.checkId ?? "";
    expect(shown.buyerFiles).toEqual([
      {
        id,
        at: expect.any(String),
        note: "It was <b>me",
        file: { kind: "jpeg", size: html.length, isPicture: true },
      },
    ]);

    const response = await app.get(`/api/orders/1/buyer-files/${id}`, AS_OPERATOR);

    expect(response.status).toBe(200);
    expect(Buffer.from(await response.arrayBuffer()).equals(html)).toBe(true);
    expect(Object.fromEntries(response.headers)).toMatchObject({
      "content-type": "application/octet-stream",
      "content-disposition": 'attachment; filename="from-buyer.jpg"',
      "content-security-policy": "default-src 'none'; sandbox",
      "x-content-type-options": "nosniff",
      "cross-origin-resource-policy": "same-origin",
      "cache-control": "no-store",
    });
    const log = (await (await app.get("/api/access-log", AS_OPERATOR)).json()) as { entries: unknown[] };
    expect(log.entries).toContainEqual(expect.objectContaining({ what: "buyer-file", subject: "1" }));
  });

  it("isn't given to viewers, to other shops, for other orders or for a note", async () => {
    await upload(await holdForEvidence("1"), { file: JPEG });
    await upload(await holdForEvidence("2"), { note: "only a note" });
    const app = await start();
    const [one, two] = [(await checkOf("1"))?.checkId ?? "", (await checkOf("2"))?.checkId ?? ""];
    const viewer = bearer((await givePerson(shop.store, "viewer", TENANT)).token);
    const stranger = bearer((await givePerson(shop.store, "owner", "test:other")).token);
    const statusOf = async (path: string, as: Record<string, string> = AS_OPERATOR) =>
      (await app.get(path, as)).status;

    expect(await statusOf(`/api/orders/1/buyer-files/${one}`, viewer)).toBe(403);
    expect(await statusOf(`/api/orders/1/buyer-files/${one}`, stranger)).toBe(404);
    for (const path of [
      `2/buyer-files/${one}`,
      `2/buyer-files/${two}`,
      "1/buyer-files/x",
      `1/buyer-files/${"0".repeat(32)}`,
    ])
      expect(await statusOf(`/api/orders/${path}`), path).toBe(404);
    const { entries } = await shop.store.accessLog.list(TENANT, { limit: 50 });
    expect(entries.filter(({ what }) => what === "buyer-file")).toEqual([]);
  });

  it("is named in a customer's data request, and gone after their erasure", async () => {
    await upload(await holdForEvidence(), { note: "It was me", file: JPEG });
    const about = { orderIds: ["1"], email: "jane@example.com", customerId: undefined };
    const accept = (kind: string, topic: string) =>
      shop.pipeline.intake.accept({
        tenant: TENANT,
        deliveryId: `d-${kind}`,
        platform: "test",
        topic,
        receivedAtMs: now(),
        body: Buffer.from(JSON.stringify({ kind, requestId: "77", ...about })),
      });
    await accept("report-customer", "data_request");
    await expect.poll(() => shop.store.reports.get(TENANT, "77")).not.toBeNull();
    const report = JSON.parse((await shop.store.reports.get(TENANT, "77")) ?? "") as Record<string, unknown>;
    const id = (await checkOf("1"))?.checkId ?? "";
    expect(report["sentByCustomer"]).toEqual([
      {
        orderId: "1",
        sentAt: expect.any(String),
        note: "It was me",
        file: { type: "image/jpeg", size: JPEG.length, download: `/api/orders/1/buyer-files/${id}` },
      },
    ]);

    await accept("erase-customer", "redact");
    await expect.poll(async () => (await shop.store.orders.get(keyOf("1")))?.mapped).toBeNull();
    expect(await shop.store.buyerEvidence.list(keyOf("1"))).toEqual([]);
  });
});
