import { randomBytes } from "node:crypto";
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { loadDataKey } from "../../../src/store/opening/data-key.ts";

describe("loadDataKey", () => {
  let folder: string;
  let databasePath: string;

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "holdfast-key-"));
    databasePath = join(folder, "data", "holdfast.db");
  });
  afterEach(() => {
    rmSync(folder, { recursive: true });
  });

  it("returns the given key and creates no file", () => {
    const given = randomBytes(32);

    expect(loadDataKey({ given, databasePath })).toBe(given);
    expect(readdirSync(folder)).toEqual([]);
  });

  it("creates a private key file once, and reads it from then on", () => {
    const first = loadDataKey({ databasePath });

    expect(first).toHaveLength(32);
    expect(loadDataKey({ databasePath })).toEqual(first);
    expect(readdirSync(join(folder, "data"))).toEqual(["holdfast.db.key"]);
    expect(statSync(`${databasePath}.key`).mode & 0o777).toBe(0o600);
    expect(statSync(join(folder, "data")).mode & 0o777).toBe(0o700);
    expect(readFileSync(`${databasePath}.key`, "utf8")).toBe(`${first.toString("base64")}\n`);
  });

  it("gives every database in memory its own key", () => {
    const [one, two] = [loadDataKey({ databasePath: ":memory:" }), loadDataKey({ databasePath: ":memory:" })];

    expect(one).toHaveLength(32);
    expect(one).not.toEqual(two);
  });

  it("doesn't replace a key file that is missing beside an existing database", () => {
    mkdirSync(join(folder, "data"));
    writeFileSync(databasePath, "something");

    expect(() => loadDataKey({ databasePath })).toThrow(expect.objectContaining({ code: "CONFIG_INVALID" }));
    expect(() => loadDataKey({ databasePath })).toThrow(
      /^DATA_KEY: not set, .* is missing: put the file back, or set DATA_KEY to its text$/,
    );
    expect(readdirSync(join(folder, "data"))).toEqual(["holdfast.db"]);
  });

  it("names the wrong variable if the database's path is a folder", () => {
    mkdirSync(databasePath, { recursive: true });

    expect(() => loadDataKey({ databasePath })).toThrow(
      /^`path` \(DATABASE_URL\): expected a file, and .* isn't one$/,
    );
    expect(readdirSync(join(folder, "data"))).toEqual(["holdfast.db"]);
  });

  it.each(["", "short", randomBytes(31).toString("base64"), randomBytes(33).toString("base64")])(
    "refuses a file without a key: %j",
    (text) => {
      mkdirSync(join(folder, "data"));
      writeFileSync(`${databasePath}.key`, text);

      expect(() => loadDataKey({ databasePath })).toThrow(
        expect.objectContaining({ code: "CONFIG_INVALID" }),
      );
      expect(() => loadDataKey({ databasePath })).toThrow(/^DATA_KEY: /);
      expect(readFileSync(`${databasePath}.key`, "utf8")).toBe(text);
    },
  );

  it("reports why the file can be neither read nor created", () => {
    writeFileSync(join(folder, "data"), "a file is in the way");
    chmodSync(join(folder, "data"), 0o600);

    expect(() => loadDataKey({ databasePath })).toThrow(expect.objectContaining({ code: "CONFIG_INVALID" }));
    expect(() => loadDataKey({ databasePath })).toThrow(/: ENOTDIR$/);
  });
});
