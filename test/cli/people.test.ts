import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { listPeople, promotePerson } from "../../src/cli/people.ts";
import { parseConfig, type Config } from "../../src/config.ts";
import { openConfiguredStore } from "../../src/store/opening/open-store.ts";
import type { Store } from "../../src/store/store.ts";
import { T0, TENANT } from "../store/samples.ts";

let folder: string;
let config: Config;
let lines: string[];
/** The running app's own store. */
let store: Store;

const terminal = { line: (text: string) => void lines.push(text), isInteractive: false };
const context = () => ({ config, terminal: terminal as never, now: () => T0 + 1 });

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), "holdfast-people-"));
  config = parseConfig({ DATABASE_URL: `sqlite:${join(folder, "holdfast.db")}` });
  lines = [];
  store = await openConfiguredStore(config, { exclusive: true });
  await store.tenants.saveCredential(TENANT, "shopify", "secret", "installed", T0);
  await store.people.admit({ tenant: TENANT, actor: "person:1" }, T0);
  await store.people.admit({ tenant: TENANT, actor: "person:2" }, T0 + 1);
});

afterEach(async () => {
  await store.close();
  rmSync(folder, { recursive: true, force: true });
});

describe("holdfast people", () => {
  it("lists everybody of the one shop with their role", async () => {
    await listPeople({ tenant: undefined, json: false }, context());

    expect(lines).toEqual([
      "person:1  owner  last seen 2026-11-20T12:00:00.000Z",
      "person:2  reviewer  last seen 2026-11-20T12:00:00.001Z",
    ]);
  });

  it("makes somebody an owner while the app is running, and records it", async () => {
    await promotePerson({ tenant: TENANT, actor: "person:2" }, context());

    expect(await store.people.list(TENANT)).toMatchObject([{ role: "owner" }, { role: "owner" }]);
    expect((await store.accessLog.list(TENANT, { limit: 1 })).entries).toMatchObject([
      { actor: "operator", what: "people", subject: "person:2" },
    ]);
  });

  it("refuses somebody who never opened the app", async () => {
    await expect(promotePerson({ tenant: TENANT, actor: "person:9" }, context())).rejects.toThrow(
      "no person person:9",
    );
  });

  it("refuses an unknown shop, and names the known ones", async () => {
    const tenant = "shopify:mistyped.myshopify.com";
    await expect(listPeople({ tenant, json: false }, context())).rejects.toThrow(
      `--tenant: expected one of ${TENANT}, got ${tenant}`,
    );
    expect(lines).toEqual([]);
  });
});
