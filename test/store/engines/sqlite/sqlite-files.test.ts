import { spawnSync } from "node:child_process";
import { chmodSync, mkdirSync, mkdtempSync, rmSync, statSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { openForSync, preparePrivateFile } from "../../../../src/store/engines/sqlite/sqlite-files.ts";

/** Locks the whole database from another process; locks apply between processes. */
const TAKE_ALL = `
  const { DatabaseSync } = require("node:sqlite");
  const database = new DatabaseSync(process.argv[1], { timeout: 0 });
  database.exec("PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE; DELETE FROM kept; COMMIT");`;

describe("openForSync", () => {
  let folder: string;
  let path: string;
  let database: DatabaseSync;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "holdfast-files-"));
    path = join(folder, "holdfast.db");
    database = new DatabaseSync(path);
    database.exec("CREATE TABLE kept (id); INSERT INTO kept VALUES (1); BEGIN");
    database.prepare("SELECT id FROM kept").get();
  });
  afterEach(() => {
    database.close();
    rmSync(folder, { recursive: true });
  });

  it("leaves SQLite's locks in place, even when the database is opened again", () => {
    const file = openForSync(path);
    symlinkSync(path, join(folder, "link.db"));
    expect(openForSync(join(folder, "link.db"))).toBe(file);
    expect(openForSync(path)).toBe(file);

    const other = spawnSync(process.execPath, ["-e", TAKE_ALL, path], { encoding: "utf8" });
    expect(other.stderr).toContain("database is locked");
    expect(other.status).toBe(1);
  });

  it("gives another database its own descriptor", () => {
    const other = join(folder, "other.db");
    new DatabaseSync(other).exec("CREATE TABLE kept (id)");
    expect(openForSync(other)).not.toBe(openForSync(path));
  });
});

describe("preparePrivateFile", () => {
  it.runIf(process.platform === "linux")("says whose a file that it may not change has to be", () => {
    // Not even root may change its mode.
    expect(() => preparePrivateFile("/proc/self/status")).toThrow(
      "can't create /proc/self/status, or limit it to its owner (EPERM): it and its folder have to belong to",
    );
  });

  it("makes its folder where the system finds it, also behind a link", () => {
    const folder = mkdtempSync(join(tmpdir(), "holdfast-files-"));
    try {
      mkdirSync(join(folder, "disk"));
      mkdirSync(join(folder, "disk", "app"));
      symlinkSync(join(folder, "disk", "app"), join(folder, "app"));

      preparePrivateFile(`${folder}/app/../data/shop/holdfast.db`);
      expect(statSync(join(folder, "disk", "data", "shop", "holdfast.db")).mode & 0o777).toBe(0o600);
      expect(statSync(join(folder, "disk", "data")).mode & 0o777).toBe(0o700);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  it("refuses a folder, and doesn't change its mode", () => {
    const folder = mkdtempSync(join(tmpdir(), "holdfast-files-"));
    try {
      chmodSync(folder, 0o755);

      expect(() => preparePrivateFile(folder)).toThrow(
        `\`path\` (DATABASE_URL): expected a file, and ${folder} isn't one`,
      );
      expect(statSync(folder).mode & 0o777).toBe(0o755);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});
