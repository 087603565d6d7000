import { describe, expect, it } from "vitest";
import { createCheckId, toLinkToken, toTokenDigest } from "../../../src/buyer-check/link.ts";
import { toTexts } from "../../../src/buyer-check/texts/buyer-texts.ts";
import { MOST_TRIES, type BuyerLanguage } from "../../../src/order/buyer-check.ts";
import {
  checkOf,
  deliverEarlier,
  deliverHeld,
  keyOf,
  linkOf,
  now,
  openBuyerShopForEach,
  post,
  PUBLIC_URL,
  savePolicy,
  shop,
  until,
} from "../../support/buyer-shop.ts";

openBuyerShopForEach();

const UNKNOWN = "A".repeat(43);

async function hold(orderId = "1"): Promise<string> {
  await deliverEarlier();
  return deliverHeld(orderId);
}

/** What everybody sees of a link that doesn't work, without what differs in every response. */
async function see(response: Response) {
  const headers = Object.fromEntries(response.headers);
  const { date: _date, "keep-alive": _keepAlive, ...rest } = headers;
  return { status: response.status, headers: rest, text: await response.text() };
}

const get = (link: string, headers: Record<string, string> = {}) => fetch(link, { headers });

describe("the buyer's page", () => {
  it("shows the shop and the items, and nothing personal, under strict headers", async () => {
    await savePolicy({
      levels: { high: { action: "hold", verify: "release" } },
      verify: { shopName: "Kettle & <Co>" },
    });
    const link = await hold();
    const response = await get(link);
    const text = await response.text();

    expect(response.status).toBe(200);
    expect(text).toContain("Kettle &#38; &#60;Co&#62;");
    expect(text).toContain("Order #1");
    expect(text).toContain("<bdi>Mug</bdi> × 1");
    for (const secret of ["jane@", "Jane", "Main Street", "62701", "59.9", "4242", "visa", "test:shop"])
      expect(text).not.toContain(secret);
    expect(text).not.toMatch(/<script|<img|<link|<iframe|src=|https?:/);
    const headers = Object.fromEntries(response.headers);
    expect(headers).toMatchObject({
      "cache-control": "no-store",
      "content-type": "text/html; charset=utf-8",
      "referrer-policy": "no-referrer",
      "x-content-type-options": "nosniff",
      "x-frame-options": "DENY",
      "x-robots-tag": "noindex, nofollow, noarchive",
      "strict-transport-security": "max-age=31536000",
    });
    expect(headers["content-security-policy"]?.replace(/sha256-[\w+/=]+/, "sha256-X")).toBe(
      "default-src 'none'; style-src 'sha256-X'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'",
    );
    expect(headers).not.toHaveProperty("set-cookie");
  });

  it("speaks the buyer's language, and else the shop's", async () => {
    const link = await hold();

    expect(await (await get(link, { "accept-language": "ja;q=0.5, de-AT" })).text()).toContain(
      '<html lang="de">',
    );
    expect(await (await get(link, { "accept-language": "tlh, *" })).text()).toContain('<html lang="en">');
    await savePolicy({
      levels: { high: { action: "hold", verify: "release" } },
      verify: { language: "pt-BR" },
    });
    expect(await (await get(link)).text()).toContain('<html lang="pt-BR">');
  });

  it.each([
    ["de-AT", "de"],
    ["ja", "ja"],
    ["nl", "en"],
  ])("and its message speak the order's language %s, whatever the reader's is", async (locale, language) => {
    shop.locale = locale;
    const link = await hold();

    expect(shop.mails[0]?.fields).toMatchObject({ language });
    expect(shop.mails[0]?.text).toContain(toTexts(language as BuyerLanguage)["mail-not-you"]);
    const page = await (await get(link, { "accept-language": language === "en" ? "tlh" : "fr" })).text();
    expect(page).toContain(`<html lang="${language}">`);
  });

  it("isn't used up by a scanner that reads it, however and however often", async () => {
    const link = await hold();
    for (let round = 0; round < 15; round += 1) {
      for (const method of ["GET", "HEAD", "OPTIONS"]) await (await fetch(link, { method })).arrayBuffer();
      await (await fetch(`${link}/earlier-address`)).arrayBuffer();
      await (await fetch(`${link}/earlier-address?answer=yes`, { method: "HEAD" })).arrayBuffer();
    }

    expect(await checkOf("1")).toMatchObject({ answer: null, tries: 0 });
    expect((await post(link, { answer: "yes" })).status).toBe(200);
  });

  it("answers unknown, used, expired, changed, revoked, foreign and forged links alike", async () => {
    const used = await hold();
    const dead = [used];
    await post(used, { answer: "no" });
    const expired = await deliverHeld("2", { customerEmail: "jane@example.com" });
    const revoked = await deliverHeld("3");
    const check = await checkOf("3");
    if (check !== undefined) await shop.store.buyerChecks.update(check, { revokedAtMs: now() });
    dead.push(
      revoked,
      `${shop.origin}/confirm/${UNKNOWN}`,
      `${shop.origin}/confirm/x`,
      `${used.slice(0, -1)}_`,
    );
    // Signed for another tenant, or for another order of this one.
    const { store } = shop;
    for (const key of [
      { tenant: "test:other", orderId: "1", checkId: (await checkOf("1"))?.checkId ?? "" },
      { tenant: "test:shop", orderId: "1", checkId: createCheckId() },
    ])
      dead.push(`${shop.origin}/confirm/${toLinkToken(store.keyring, key)}`);
    shop.aheadMs += 8 * 86_400_000;
    dead.push(expired);

    const seen = [];
    for (const link of dead)
      seen.push(await see(await get(link)), await see(await post(link, { answer: "yes" })));

    expect(seen[0]).toMatchObject({ status: 404 });
    expect(seen[0]?.text).toContain("This link no longer works");
    for (const one of seen) expect(one).toEqual(seen[0]);
    expect((await checkOf("2"))?.answer).toBeNull();
    expect((await checkOf("3"))?.answer).toBeNull();
  });

  it("doesn't accept a row that was moved to another order or tenant", async () => {
    await hold();
    const other = { tenant: "test:shop", orderId: "900", checkId: createCheckId() };
    const stolen = toLinkToken(shop.store.keyring, { ...other, tenant: "test:other" });
    const check = await checkOf("1");
    if (check === undefined) throw new Error("nobody was asked");
    // As if somebody could write to the table.
    await shop.store.buyerChecks.issue(
      {
        ...check,
        ...other,
        orderId: "1",
        tokenDigest: toTokenDigest(stolen),
        decidedAtMs: check.decidedAtMs + 1,
      },
      null,
      { atMs: now(), kind: "found", detail: "", event: { kind: "found" }, actor: "holdfast" },
    );

    expect((await get(`${shop.origin}/confirm/${stolen}`)).status).toBe(404);
  });

  it("takes one answer of two at once, and no replay", async () => {
    const link = await hold();
    const answers = await Promise.all(
      ["yes", "no", "yes", "no"].map(async (answer) => (await post(link, { answer })).status),
    );

    expect(answers.toSorted((a, b) => a - b)).toEqual([200, 404, 404, 404]);
    expect((await post(link, { answer: "yes" })).status).toBe(404);
    const timeline = await shop.store.orders.listTimeline(keyOf("1"));
    expect(timeline.filter(({ kind }) => kind === "buyer-answered")).toHaveLength(1);
  });

  it("takes only a few answers that settle nothing", async () => {
    const link = await hold();
    const statuses = [];
    for (let tries = 0; tries <= MOST_TRIES; tries += 1)
      statuses.push((await post(link, { answer: "maybe" })).status);

    expect(statuses).toEqual([...Array<number>(MOST_TRIES).fill(422), 404]);
    expect((await checkOf("1"))?.answer).toBeNull();
    expect((await shop.store.orders.get(keyOf("1")))?.state).toBe("review");
  });

  it("slows down who guesses links, per client address, and nobody else", async () => {
    const link = await hold();
    const from = (ip: string) => ({ "x-forwarded-for": ip });
    const guess = (ip: string) => get(`${shop.origin}/confirm/${UNKNOWN}`, from(ip));
    for (let guesses = 0; guesses < 30; guesses += 1) expect((await guess("203.0.113.9")).status).toBe(404);

    expect((await guess("203.0.113.9")).status).toBe(429);
    // Not even a right link tells anything then.
    expect((await get(link, from("203.0.113.9"))).status).toBe(429);
    expect((await get(link, from("203.0.113.10"))).status).toBe(200);
    shop.aheadMs += 11 * 60_000;
    expect((await get(link, from("203.0.113.9"))).status).toBe(200);
  });

  it.each([
    [
      "a large body",
      { body: `answer=yes&x=${"x".repeat(10_000)}`, type: "application/x-www-form-urlencoded" },
    ],
    ["JSON", { body: '{"answer":"yes"}', type: "application/json" }],
    ["text", { body: "answer=yes", type: "text/plain" }],
  ])("doesn't take %s for an answer", async (_what, { body, type }) => {
    const link = await hold();
    const init = { method: "POST", body, headers: { "content-type": type } };

    expect((await fetch(`${link}/earlier-address`, init)).status).toBe(422);
    expect((await checkOf("1"))?.answer).toBeNull();
  });

  it("doesn't take an answer by a method that wasn't offered", async () => {
    const link = await hold();

    for (const method of ["card-code", "evidence", "constructor", "..%2f"])
      expect((await post(link, { answer: "yes", code: "1" }, method)).status).toBe(404);
    expect((await checkOf("1"))?.answer).toBeNull();
  });

  it("links to the configured address, whatever host a request names", async () => {
    const link = await hold();
    await (await get(link, { "x-forwarded-host": "evil.example" })).text();
    const text = await (
      await get(link, { "x-forwarded-host": "evil.example", forwarded: "host=evil.example" })
    ).text();

    expect(text).not.toContain("evil.example");
    expect(String(shop.mails[0]?.fields["link"])).toMatch(new RegExp(`^${PUBLIC_URL}/confirm/[\\w-]{43}$`));
    expect(shop.mails[0]?.text).toContain(String(shop.mails[0]?.fields["link"]));
  });

  it("asks again for an answer, with forms that still work", async () => {
    const link = await hold();
    const again = await post(link, {});
    const text = await again.text();

    expect(again.status).toBe(422);
    expect(text).toContain('role="alert"');
    const action = /action="([^"]+)"/.exec(text)?.[1] ?? "";
    const url = new URL(action, `${link}/earlier-address`);
    expect((await fetch(url, { method: "POST", body: new URLSearchParams({ answer: "yes" }) })).status).toBe(
      200,
    );
    await until("1", ({ state }) => state === "settled");
  });

  it("has nothing personal in its address, and stores no token", async () => {
    const link = await hold();
    const token = link.split("/").at(-1) ?? "";
    const check = await checkOf("1");

    expect(Buffer.from(token, "base64url")).toHaveLength(32);
    expect(check?.tokenDigest).toBe(toTokenDigest(token));
    expect(JSON.stringify(check)).not.toContain(token);
    expect(linkOf(shop.mails[0])).toBe(link);
  });
});
