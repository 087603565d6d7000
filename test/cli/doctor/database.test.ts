import { execFile } from "node:child_process";
import { randomBytes } from "node:crypto";
import { chmod, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { promisify } from "node:util";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { checkDatabase, checkDurability, checkSchema } from "../../../src/cli/doctor/database.ts";
import { parseConfig } from "../../../src/config.ts";
import type { Finding } from "../../../src/platform/platform.ts";
import { openConfiguredStore } from "../../../src/store/opening/open-store.ts";
import { probeDatabase } from "../../../src/store/opening/probe.ts";
import { createDatabase } from "../../support/postgres-database.ts";

const run = promisify(execFile);
const DOCTOR = new URL("../../../src/cli/doctor/database.ts", import.meta.url).href;

let folder: string;
let path: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "holdfast-doctor-"));
  path = join(folder, "h.db");
});
afterEach(() => rm(folder, { recursive: true }));

const configOf = (url = `sqlite:${path}`) => parseConfig({ DATABASE_URL: url });

async function prepare(): Promise<void> {
  await (await openConfiguredStore(configOf(), { exclusive: false })).close();
}

async function look(config = configOf()) {
  const { store, findings } = await checkDatabase(config);
  await store?.close();
  const checks = new Map<string, Finding>(findings.map((finding) => [finding.id, finding]));
  return { checks, isOpen: store !== undefined };
}

describe("checkDatabase", () => {
  it("opens the app's database, even while an app owns it", async () => {
    await prepare();
    const app = await openConfiguredStore(configOf(), { exclusive: true });
    try {
      const { checks, isOpen } = await look();

      expect(isOpen).toBe(true);
      expect(Object.fromEntries([...checks].map(([id, { status }]) => [id, status]))).toMatchObject({
        database: "ok",
        "database.schema": "ok",
        "database.key": "ok",
        "database.files": "ok",
      });
    } finally {
      await app.close();
    }
  });

  it("leaves an older database for the app to migrate", () => {
    expect(checkSchema({ schema: 1, expectedSchema: 2, key: "right" })).toMatchObject({
      status: "warning",
      advice: expect.stringContaining("start the app"),
    });
  });

  it("doesn't open a database of a newer Holdfast", async () => {
    await prepare();
    const database = new DatabaseSync(path);
    database.exec("insert into schema_migrations values (99, 'future', 1)");
    database.close();

    const { checks, isOpen } = await look();

    expect(isOpen).toBe(false);
    expect(checks.get("database.schema")).toMatchObject({ status: "problem" });
  });

  it("says what to check about a file that can't be used", async () => {
    await writeFile(path, "somebody else's file");
    await writeFile(`${path}.key`, randomBytes(32).toString("base64"));

    const { checks } = await look();

    expect(checks.get("database")).toMatchObject({
      status: "problem",
      advice: expect.stringContaining("belong to the user that runs Holdfast"),
    });
  });

  it("says which folder or file can't be written, instead of to start the app", async () => {
    const closed = await mkdtemp(join(folder, "closed-"));
    const empty = join(folder, "empty.db");
    await writeFile(empty, "", { mode: 0o444 });
    await chmod(closed, 0o555);
    await chmod(folder, 0o777);
    // Root can write everything, so the child becomes somebody else.
    const script = `
      const { checkDatabase } = await import(${JSON.stringify(DOCTOR)});
      if (process.getuid() === 0) process.setuid(65534);
      const look = (path) => checkDatabase({ database: { kind: "sqlite", path } });
      const paths = ${JSON.stringify([join(closed, "a", "h.db"), empty])};
      console.log(JSON.stringify(await Promise.all(paths.map(look))));`;

    const { stdout } = await run(process.execPath, ["--input-type=module", "-e", script]);

    const looks = JSON.parse(stdout) as readonly { readonly findings: readonly Finding[] }[];
    expect(looks.map(({ findings }) => findings[0]?.found)).toEqual([
      `this user can't write to ${closed}`,
      `this user can't write to ${empty}`,
    ]);
    for (const { findings } of looks) {
      expect(findings[0]?.advice).toContain("check DATABASE_URL");
      expect(findings.map(({ id }) => id)).not.toContain("database.schema");
    }
  });

  it("says which package a Postgres database needs", async () => {
    const script = `
      import { registerHooks } from "node:module";
      registerHooks({
        resolve(specifier, context, next) {
          return next(specifier, specifier === "pg" ? { ...context, parentURL: "file:///nowhere.js" } : context);
        },
      });
      const { checkDatabase } = await import(${JSON.stringify(DOCTOR)});
      const url = { reveal: () => "postgres://127.0.0.1:1/x" };
      console.log(JSON.stringify(await checkDatabase({ database: { kind: "postgres", url } })));`;

    const { stdout } = await run(process.execPath, ["--input-type=module", "-e", script]);

    expect(JSON.parse(stdout)).toMatchObject({
      findings: [{ found: `the package "pg" isn't installed`, advice: "run npm install pg@8" }],
    });
  });

  it.each([
    ["synchronous_commit", "warning", "people's decisions"],
    ["fsync", "problem", "destroy the database"],
  ])("says what it costs that Postgres's %s is off", async (setting, status, cost) => {
    const unsafe = checkDurability({ schema: 1, expectedSchema: 1, key: "right", unsafe: [setting] });

    expect(unsafe).toMatchObject([{ id: "database.durability", status }]);
    expect(unsafe[0]?.found).toContain(`${setting} is off`);
    expect(unsafe[0]?.found).toContain(cost);
  });

  it("reads Postgres's settings as the app's connections have them", async () => {
    const database = await createDatabase();
    try {
      const dataKey = randomBytes(32).toString("base64");
      const config = parseConfig({ DATABASE_URL: database.url, DATA_KEY: dataKey });
      const { unsafe: before } = await probeDatabase(config);
      await database.query(
        `alter database ${new URL(database.url).pathname.slice(1)} set synchronous_commit = off`,
      );
      const { unsafe: after } = await probeDatabase(config);

      expect(before).not.toContain("synchronous_commit");
      expect(after).toContain("synchronous_commit");
    } finally {
      await database.drop();
    }
  });

  it("asks for the missing key", async () => {
    await prepare();
    await rm(`${path}.key`);

    const { checks, isOpen } = await look();

    expect(isOpen).toBe(false);
    expect(checks.get("database.key")).toMatchObject({ status: "problem" });
  });

  it("warns of files that others can read, by name", async () => {
    await prepare();
    await chmod(`${path}.key`, 0o644);

    expect((await look()).checks.get("database.files")).toMatchObject({
      status: "warning",
      found: `others on this machine can read ${path}.key (644)`,
    });
  });

  it("warns of a database that is lost when the process ends", async () => {
    const { checks, isOpen } = await look(configOf("sqlite::memory:"));

    expect(isOpen).toBe(false);
    expect([...checks.values()]).toMatchObject([{ id: "database", status: "warning" }]);
  });

  it("measures the free space, even before the folder exists", async () => {
    const { checks } = await look(configOf(`sqlite:${join(folder, "a", "b", "h.db")}`));

    expect(checks.get("database.disk")?.found).toMatch(/^\d+ MiB free/);
  });
});
