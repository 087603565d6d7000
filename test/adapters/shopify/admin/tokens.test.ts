import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, expect, it, onTestFinished } from "vitest";
import { createEmulatorDispatcher } from "../../../../tools/emulators/shopify/emulator-dispatcher.ts";
import { createTokens } from "../../../../adapters/shopify/admin/tokens.ts";
import type { Logger } from "../../../../src/index.ts";
import {
  API_KEY,
  API_SECRET,
  createMemoryCredentials,
  SHOP,
  startFixture,
  TENANT,
  type AdminFixture,
} from "../admin-fixture.ts";

const HOUR_MS = 3_600_000;

function refreshesOf(fixture: AdminFixture): number {
  return fixture.emulator.requests.filter(({ path }) => path === "/admin/oauth/access_token").length;
}

function keptOf(fixture: AdminFixture): { accessToken: string; refreshToken?: string; expiresAtMs: number } {
  return JSON.parse(fixture.credentials.kept.get(TENANT) ?? "null") as ReturnType<typeof keptOf>;
}

/** Tokens whose endpoint gives the listed answers one after the other, and then the last one again. */
async function startEndpoint(...answers: readonly (readonly [status: number, body: unknown])[]) {
  const forms: Record<string, unknown>[] = [];
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    forms.push(JSON.parse(Buffer.concat(chunks).toString("utf8")) as Record<string, unknown>);
    const [status, body] = answers[Math.min(forms.length, answers.length) - 1] ?? [500, ""];
    response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const dispatcher = createEmulatorDispatcher(server.address() as AddressInfo);
  onTestFinished(async () => {
    await dispatcher.destroy();
    server.closeAllConnections();
    server.close();
  });
  let nowMs = 1_000_000;
  const credentials = createMemoryCredentials();
  const now = () => nowMs;
  const tokens = createTokens({ apiKey: API_KEY, apiSecret: API_SECRET, credentials, dispatcher, now });
  return { tokens, credentials, forms, advance: (ms: number) => void (nowMs += ms) };
}

const GRANT = {
  access_token: "access-1",
  refresh_token: "refresh-1",
  expires_in: 3600,
  scope: "write_orders",
};

describe("createTokens", () => {
  it("returns the stored token while it is fresh, without a call", async () => {
    const fixture = await startFixture();

    expect(await fixture.tokens.access(SHOP)).toBe(keptOf(fixture).accessToken);
    expect(fixture.emulator.requests).toEqual([]);
  });

  it("refreshes five minutes before the token ends, and not earlier", async () => {
    const fixture = await startFixture();
    const first = await fixture.tokens.access(SHOP);

    fixture.clock.advance(HOUR_MS - 5 * 60_000 - 2_000);
    expect(await fixture.tokens.access(SHOP)).toBe(first);
    fixture.clock.advance(2_000);
    const second = await fixture.tokens.access(SHOP);

    expect(second).not.toBe(first);
    expect(keptOf(fixture).accessToken).toBe(second);
    expect(fixture.credentials.occasions).toEqual(["refreshed"]);
    expect(fixture.shop.tokens.identify(second)).toBe("offline");
  });

  it("refreshes once for fifty concurrent calls", async () => {
    const fixture = await startFixture();
    fixture.clock.advance(HOUR_MS);

    const given = await Promise.all(Array.from({ length: 50 }, () => fixture.tokens.access(SHOP)));

    expect(new Set(given).size).toBe(1);
    expect(refreshesOf(fixture)).toBe(1);
  });

  it("refreshes once for two processes that share a store", async () => {
    const fixture = await startFixture();
    const { credentials, dispatcher, clock } = fixture;
    const options = { apiKey: API_KEY, apiSecret: API_SECRET, credentials, dispatcher, now: clock.now };
    const other = createTokens(options);
    clock.advance(HOUR_MS);

    const given = await Promise.all(
      Array.from({ length: 20 }, (_value, index) => (index % 2 === 0 ? fixture.tokens : other).access(SHOP)),
    );

    expect(new Set(given).size).toBe(1);
    expect(refreshesOf(fixture)).toBe(1);
  });

  it("keeps refreshing with each new refresh token", async () => {
    const fixture = await startFixture();

    for (let hour = 0; hour < 5; hour += 1) {
      fixture.clock.advance(HOUR_MS);
      expect(fixture.shop.tokens.identify(await fixture.tokens.access(SHOP))).toBe("offline");
    }

    expect(refreshesOf(fixture)).toBe(5);
  });

  it("recovers from a refresh whose answer was lost", async () => {
    const fixture = await startFixture();
    fixture.clock.advance(HOUR_MS);
    fixture.emulator.fail(1, "reset-after-effect", { on: "token" });

    await expect(fixture.tokens.access(SHOP)).rejects.toMatchObject({ code: "PLATFORM_UNAVAILABLE" });
    const token = await fixture.tokens.access(SHOP);

    expect(fixture.shop.tokens.identify(token)).toBe("offline");
    expect(fixture.credentials.occasions).toEqual(["refreshed"]);
  });

  it.each(["500", "408", "430", "429", "402", "403"] as const)(
    "keeps using a valid token when a refresh fails with %s, and doesn't call the endpoint again",
    async (kind) => {
      const fixture = await startFixture();
      const first = await fixture.tokens.access(SHOP);
      fixture.clock.advance(HOUR_MS - 60_000);
      fixture.emulator.fail(1, kind, { on: "token" });

      expect(await fixture.tokens.access(SHOP)).toBe(first);
      expect(await fixture.tokens.access(SHOP)).toBe(first);
      expect(refreshesOf(fixture)).toBe(1);
      fixture.clock.advance(30_000);
      expect(await fixture.tokens.access(SHOP)).not.toBe(first);
    },
  );

  it.each([
    ["500", "PLATFORM_UNAVAILABLE"],
    ["408", "PLATFORM_UNAVAILABLE"],
    ["430", "PLATFORM_UNAVAILABLE"],
    ["402", "PLATFORM_REFUSED"],
    ["429", "PLATFORM_THROTTLED"],
    ["malformed", "PLATFORM_UNAVAILABLE"],
    ["403", "PLATFORM_REFUSED"],
    ["reset", "PLATFORM_UNAVAILABLE"],
  ] as const)("keeps the credential when the endpoint fails with %s", async (kind, code) => {
    const fixture = await startFixture();
    fixture.clock.advance(HOUR_MS);
    fixture.emulator.fail(1, kind, { on: "token" });

    await expect(fixture.tokens.access(SHOP)).rejects.toMatchObject({ code });
    expect(fixture.credentials.kept.has(TENANT)).toBe(true);
  });

  it("discards a credential that can no longer be refreshed", async () => {
    const fixture = await startFixture();
    fixture.shop.tokens.revokeAll();
    fixture.clock.advance(HOUR_MS);

    await expect(fixture.tokens.access(SHOP)).rejects.toMatchObject({
      code: "PLATFORM_UNAUTHORIZED",
      retryable: true,
    });
    expect(fixture.credentials.kept.has(TENANT)).toBe(false);
    await expect(fixture.tokens.access(SHOP)).rejects.toMatchObject({ code: "PLATFORM_UNAUTHORIZED" });
    expect(refreshesOf(fixture)).toBe(1);
  });

  it.each([
    [400, "invalid_grant", true],
    [401, "invalid_request", true],
    [400, "invalid_request", false],
    [400, "invalid_client", false],
    [401, "invalid_client", false],
    [403, "invalid_grant", false],
    [400, "", false],
  ])("treats %i %s as the end of the shop's access: %s", async (status, error, ends) => {
    const { tokens, credentials, advance } = await startEndpoint([200, GRANT], [status, { error }]);
    await tokens.install(SHOP, "session-token");
    advance(HOUR_MS);

    await expect(tokens.access(SHOP)).rejects.toMatchObject({
      code: ends ? "PLATFORM_UNAUTHORIZED" : "PLATFORM_REFUSED",
    });
    expect(credentials.kept.has(TENANT)).toBe(!ends);
  });

  it("treats a token without a lifetime as valid for an hour, so that it is refreshed", async () => {
    const { expires_in: _left, ...lifeless } = GRANT;
    const { tokens, forms, advance } = await startEndpoint([200, GRANT], [200, lifeless], [200, GRANT]);
    await tokens.install(SHOP, "session-token");

    advance(HOUR_MS);
    await tokens.access(SHOP);
    advance(HOUR_MS - 6 * 60_000);
    await tokens.access(SHOP);
    expect(forms).toHaveLength(2);
    advance(2 * 60_000);
    await tokens.access(SHOP);

    expect(forms).toHaveLength(3);
  });

  it("keeps the refresh token when a refresh returns none", async () => {
    const { refresh_token: _token, ...bare } = GRANT;
    const { tokens, forms, advance } = await startEndpoint([200, GRANT], [200, bare]);
    await tokens.install(SHOP, "session-token");

    for (let hour = 0; hour < 2; hour += 1) {
      advance(HOUR_MS);
      await tokens.access(SHOP);
    }

    expect(forms.slice(1).map((form) => form["refresh_token"])).toEqual(["refresh-1", "refresh-1"]);
  });

  it("uses access that does not expire until it is refused, then forgets it", async () => {
    const { tokens, credentials, forms, advance } = await startEndpoint([200, { access_token: "eternal" }]);
    await tokens.install(SHOP, "session-token");
    advance(1_000 * HOUR_MS);

    expect(await tokens.access(SHOP)).toBe("eternal");
    expect(forms).toHaveLength(1);
    await expect(tokens.renew(SHOP, "eternal")).rejects.toMatchObject({ code: "PLATFORM_UNAUTHORIZED" });
    expect(credentials.kept.size).toBe(0);
  });

  it.each(["not json", "{}", '{"accessToken":""}', "null"])(
    "treats a stored %j as no access",
    async (kept) => {
      const { tokens, credentials } = await startEndpoint([200, GRANT]);
      credentials.kept.set(TENANT, kept);

      await expect(tokens.access(SHOP)).rejects.toMatchObject({ code: "PLATFORM_UNAUTHORIZED" });
      expect(await tokens.install(SHOP, "session-token")).toBe("granted");
      expect(await tokens.install(SHOP, "session-token")).toBe("stored");
      expect(await tokens.access(SHOP)).toBe("access-1");
    },
  );

  it("asks for an expiring offline token with the form Shopify documents", async () => {
    const { tokens, forms } = await startEndpoint([200, GRANT]);

    await tokens.install(SHOP, "session-token");

    expect(forms).toEqual([
      {
        client_id: API_KEY,
        client_secret: API_SECRET,
        grant_type: "urn:ietf:params:oauth:grant-type:token-exchange",
        subject_token: "session-token",
        subject_token_type: "urn:ietf:params:oauth:token-type:id_token",
        requested_token_type: "urn:shopify:params:oauth:token-type:offline-access-token",
        expiring: "1",
      },
    ]);
  });

  it("renews nothing if another process already has", async () => {
    const fixture = await startFixture();
    const kept = await fixture.tokens.access(SHOP);

    expect(await fixture.tokens.renew(SHOP, "an older token")).toBe(kept);
    expect(fixture.emulator.requests).toEqual([]);
  });

  it("discards only the token that was refused", async () => {
    const fixture = await startFixture();
    const kept = await fixture.tokens.access(SHOP);

    await fixture.tokens.discard(SHOP, "an older token");
    expect(await fixture.tokens.access(SHOP)).toBe(kept);
    await fixture.tokens.discard(SHOP, kept);
    expect(fixture.credentials.kept.size).toBe(0);
  });

  it("lets a caller cancel without stopping the refresh for the others", async () => {
    const fixture = await startFixture();
    fixture.clock.advance(HOUR_MS);
    const controller = new AbortController();

    const leaving = fixture.tokens.access(SHOP, controller.signal);
    const staying = fixture.tokens.access(SHOP);
    controller.abort();

    await expect(leaving).rejects.toMatchObject({ code: "PLATFORM_UNAVAILABLE" });
    expect(fixture.shop.tokens.identify(await staying)).toBe("offline");
    expect(refreshesOf(fixture)).toBe(1);
  });

  it("logs no token", async () => {
    const lines: string[] = [];
    const log = (fields: object, message: string) => void lines.push(JSON.stringify(fields) + message);
    const logger: Logger = { debug: log, info: log, warn: log, error: log };
    const { credentials, dispatcher, clock, shop, emulator } = await startFixture();
    const parts = { apiKey: API_KEY, apiSecret: API_SECRET, credentials, dispatcher, now: clock.now, logger };
    const tokens = createTokens(parts);
    const secrets = [...credentials.kept.values()];

    clock.advance(HOUR_MS);
    await tokens.access(SHOP);
    secrets.push(...credentials.kept.values());
    clock.advance(HOUR_MS - 60_000);
    emulator.fail(1, "500", { on: "token" });
    await tokens.access(SHOP);
    shop.tokens.revokeAll();
    clock.advance(HOUR_MS);
    await expect(tokens.access(SHOP)).rejects.toThrow("access");

    expect(lines.length).toBeGreaterThanOrEqual(3);
    for (const secret of secrets) {
      for (const token of Object.values(JSON.parse(secret) as object)) {
        if (typeof token === "string") expect(lines.join("\n")).not.toContain(token);
      }
    }
    expect(lines.join("\n")).not.toContain(API_SECRET);
  });
});
