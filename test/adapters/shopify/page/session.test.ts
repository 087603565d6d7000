import { describe, expect, it } from "vitest";
import { createSessions } from "../../../../adapters/shopify/page/session.ts";
import { API_KEY, API_SECRET, SHOP, startFixture, TENANT, type AdminFixture } from "../admin-fixture.ts";

const PREVIOUS_SECRET = "previous-client-secret";

function sessionsOf(fixture: AdminFixture, changes: { apiSecretPrevious?: string } = {}) {
  const { openSession: open, readUserName } = createSessions({
    apiKey: API_KEY,
    apiSecret: API_SECRET,
    appUrl: "https://app.example.com",
    tokens: fixture.tokens,
    ...changes,
  });
  return { open, readUserName };
}

async function startUnopened(changes: { apiSecretPrevious?: string } = {}) {
  const fixture = await startFixture({ unopened: true, ...changes });
  return { fixture, sessions: sessionsOf(fixture, changes) };
}

describe("createSessions", () => {
  it("opens a session and sets up the shop's access", async () => {
    const { fixture, sessions } = await startUnopened();
    const bearer = fixture.emulator.createSessionToken(SHOP, { userId: "77" });

    expect(await sessions.open(bearer)).toEqual({ tenant: TENANT, userId: "77" });
    expect(fixture.credentials.occasions).toEqual(["installed"]);
    expect(fixture.shop.tokens.identify(await fixture.tokens.access(SHOP))).toBe("offline");
  });

  it("reads the staff member's name, and keeps no access of theirs", async () => {
    const fixture = await startFixture();
    fixture.shop.tokens.nameStaff("77", { first_name: "Ada", last_name: "Lovelace" });
    const { readUserName } = sessionsOf(fixture);

    expect(await readUserName(fixture.emulator.createSessionToken(SHOP, { userId: "77" }))).toBe(
      "Ada Lovelace",
    );
    expect(fixture.credentials.occasions).toEqual([]);
  });

  it.each([
    ["has none", { first_name: "", last_name: " " }],
    ["has something else", { first_name: 7, last_name: null }],
  ])("reads no name if Shopify %s", async (_what, name) => {
    const fixture = await startFixture();
    fixture.shop.tokens.nameStaff("77", name as never);

    const bearer = fixture.emulator.createSessionToken(SHOP, { userId: "77" });

    expect(await sessionsOf(fixture).readUserName(bearer)).toBeNull();
  });

  it("reads no name for an unknown token, or if Shopify doesn't accept it any more", async () => {
    const fixture = await startFixture();
    const { readUserName } = sessionsOf(fixture);
    expect(await readUserName("a.b.c")).toBeNull();
    expect(fixture.emulator.requests).toEqual([]);

    const bearer = fixture.emulator.createSessionToken(SHOP);
    fixture.clock.advance(120_000);
    expect(await readUserName(bearer)).toBeNull();
  });

  it("exchanges once, however many calls arrive first", async () => {
    const { fixture, sessions } = await startUnopened();
    const bearers = Array.from({ length: 20 }, () => fixture.emulator.createSessionToken(SHOP));

    const opened = await Promise.all(bearers.map((bearer) => sessions.open(bearer)));

    expect(opened.every((session) => session?.tenant === TENANT)).toBe(true);
    expect(fixture.emulator.requests).toHaveLength(1);
  });

  it("exchanges nothing for a shop with access", async () => {
    const fixture = await startFixture();

    await sessionsOf(fixture).open(fixture.emulator.createSessionToken(SHOP));

    expect(fixture.emulator.requests).toEqual([]);
  });

  it("accepts tokens signed with the previous secret while it is configured", async () => {
    const { fixture, sessions } = await startUnopened({ apiSecretPrevious: PREVIOUS_SECRET });
    const bearer = fixture.emulator.createSessionToken(SHOP, { secret: PREVIOUS_SECRET });

    expect(await sessions.open(bearer)).toMatchObject({ tenant: TENANT });
    expect(await sessionsOf(fixture).open(bearer)).toBeNull();
  });

  const hourAgo = Math.floor(Date.now() / 1000) - 3_600;
  it.each([
    ["expired", { claims: { exp: hourAgo } }],
    ["without an end", { claims: { exp: undefined } }],
    ["not valid yet", { claims: { nbf: hourAgo + 7_200 } }],
    ["for another app", { claims: { aud: "another-client-id" } }],
    ["signed with another secret", { secret: "another-secret" }],
    ["of no shop", { claims: { dest: undefined } }],
    ["of another host", { claims: { dest: "https://example.com", iss: "https://example.com/admin" } }],
    ["of a host that starts like a shop's", { claims: { dest: "https://demo.myshopify.com.example.com" } }],
    ["whose issuer is another shop", { claims: { iss: "https://other.myshopify.com/admin" } }],
    ["whose shop isn't a URL", { claims: { dest: "demo.myshopify.com" } }],
  ])("refuses a token %s", async (_what, options) => {
    const { fixture, sessions } = await startUnopened();

    expect(await sessions.open(fixture.emulator.createSessionToken(SHOP, options))).toBeNull();
    expect(fixture.emulator.requests).toEqual([]);
  });

  it.each(["", "console-token", "a.b.c", "a.b", "..", "x".repeat(5_000), `${"x".repeat(5_000)}.b.c`])(
    "refuses a value that isn't a token: %#",
    async (bearer) => {
      const { sessions } = await startUnopened();

      expect(await sessions.open(bearer)).toBeNull();
    },
  );

  it("refuses a token without a signature, whatever its header says", async () => {
    const { fixture, sessions } = await startUnopened();
    const [, body = ""] = fixture.emulator.createSessionToken(SHOP).split(".");
    const head = Buffer.from(JSON.stringify({ alg: "none", typ: "JWT" })).toString("base64url");

    expect(await sessions.open(`${head}.${body}.`)).toBeNull();
    expect(await sessions.open(`${head}.${body}.x`)).toBeNull();
  });

  it("refuses a token that Shopify refuses", async () => {
    const { fixture } = await startUnopened();
    // Valid for us, although Shopify has already revoked the secret that signed it.
    const sessions = sessionsOf(fixture, { apiSecretPrevious: PREVIOUS_SECRET });
    const bearer = fixture.emulator.createSessionToken(SHOP, { secret: PREVIOUS_SECRET });

    expect(await sessions.open(bearer)).toBeNull();
    expect(fixture.credentials.kept.size).toBe(0);
  });

  it("reports when access can't be set up now, without the token", async () => {
    const { fixture, sessions } = await startUnopened();
    fixture.emulator.fail(1, "503", { on: "token" });
    const bearer = fixture.emulator.createSessionToken(SHOP);

    const error: unknown = await sessions.open(bearer).catch((reason: unknown) => reason);

    expect(error).toMatchObject({ code: "PLATFORM_UNAVAILABLE", retryable: true });
    expect(String((error as Error).stack)).not.toContain(bearer);
    expect(await sessions.open(bearer)).toMatchObject({ tenant: TENANT });
  });
});
