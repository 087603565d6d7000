import { randomBytes } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { describe, expect, it, onTestFinished } from "vitest";
import { createServiceAccesses } from "../../src/screening/service-accesses.ts";
import { Secret } from "../../src/base/secret.ts";
import { createCurrentSettings, SETTINGS_KEPT_MS } from "../../src/settings/current-settings.ts";
import { toSettingsContent, UNSET } from "../../src/settings/tenant-settings.ts";
import { createSqliteStore } from "../../src/store/opening/sqlite-store.ts";
import type { Store } from "../../src/store/store.ts";
import { createLogRecorder } from "../support/log-recorder.ts";

const TENANT = "shopify:one.example";
const SERVICE = {
  url: "https://service.example/",
  apiKey: new Secret("key-of-the-app"),
  organization: "app",
  timeoutMs: 1_000,
};

function own(apiKey: string) {
  const service = { url: null, apiKey: new Secret(apiKey), organization: "one", savedAtMs: 1 };
  return toSettingsContent({ ...UNSET, service });
}

async function openFile() {
  const folder = await mkdtemp(join(tmpdir(), "holdfast-settings-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  const path = join(folder, "h.db");
  return { path, open: (dataKey: Buffer): Promise<Store> => createSqliteStore({ path, dataKey }) };
}

function read(store: Store, clock = { nowMs: 1_000_000 }) {
  const { lines, logger } = createLogRecorder();
  const settings = createCurrentSettings({ store, logger, now: () => clock.nowMs });
  const accesses = createServiceAccesses({
    service: SERVICE,
    settings,
    keyring: store.keyring,
    connections: 1,
    logger,
    now: () => clock.nowMs,
  });
  onTestFinished(() => accesses.close());
  return { settings, accesses, lines, clock };
}

describe("createCurrentSettings", () => {
  it("sees what another process saved within seconds, and what was saved here at once", async () => {
    const store = await (await openFile()).open(randomBytes(32));
    onTestFinished(() => store.close());
    const { settings, clock } = read(store);
    expect(await settings.of(TENANT)).toBe(UNSET);

    await store.settings.save(TENANT, own("one"), 0, 1);
    clock.nowMs += SETTINGS_KEPT_MS - 1;
    expect(await settings.of(TENANT)).toBe(UNSET);
    clock.nowMs += 1;
    expect((await settings.of(TENANT)).service?.apiKey.reveal()).toBe("one");

    await store.settings.save(TENANT, own("two"), 1, 1);
    settings.forget(TENANT);
    expect((await settings.of(TENANT)).service?.apiKey.reveal()).toBe("two");
    expect(SETTINGS_KEPT_MS).toBeLessThanOrEqual(5_000);
  });

  it("goes on with the environment's key, and says so once, when what is kept cannot be opened", async () => {
    const { open, path } = await openFile();
    const dataKey = randomBytes(32);
    const before = await open(dataKey);
    await before.settings.save(TENANT, own("one"), 0, 1);
    await before.close();
    const database = new DatabaseSync(path);
    database.exec("update settings set content = x'0102030405'");
    database.close();
    const store = await open(dataKey);
    onTestFinished(() => store.close());
    const { settings, accesses, lines, clock } = read(store);

    expect(await settings.of(TENANT)).toMatchObject({ version: 1, isReadable: false, service: null });
    clock.nowMs += SETTINGS_KEPT_MS;
    expect((await accesses.of(TENANT))?.keyId).toMatch(/^environment-/);

    expect(lines.filter(({ alert }) => alert === "settings_unreadable")).toMatchObject([
      { level: "error", tenant: TENANT },
    ]);
    expect(await store.settings.save(TENANT, own("two"), 1, 2)).toMatchObject({ version: 2 });
  });

  it("passes an outage of the store on, and forgets it", async () => {
    const store = await (await openFile()).open(randomBytes(32));
    const { settings } = read(store);
    await store.close();

    await expect(settings.of(TENANT)).rejects.toMatchObject({ code: "STORE_UNAVAILABLE" });
    await expect(settings.of(TENANT)).rejects.toMatchObject({ code: "STORE_UNAVAILABLE" });
  });
});
