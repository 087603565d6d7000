import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { checkConfiguration, checkNode, OLDEST_NODE } from "../../../src/cli/doctor/configuration.ts";
import { parseConfig } from "../../../src/config.ts";

const check = (environment: Record<string, string>) => checkConfiguration(() => parseConfig(environment));

describe("checkConfiguration", () => {
  it("lists what is configured, and none of its secrets", () => {
    const { config, findings } = check({
      VERIFY_URL: "https://verify.example",
      VERIFY_API_KEY: "not-to-be-told",
      CONSOLE_TOKEN: "not-to-be-told-either",
    });

    expect(config).toBeDefined();
    expect(findings).toEqual([
      {
        id: "configuration",
        status: "ok",
        found: "SQLite, a verification service, no Shopify, role all",
        advice: null,
      },
    ]);
  });

  it("names every variable that is wrong, without its value", () => {
    const { config, findings } = check({ PORT: "jane", DATA_KEY: "secret", VERIFY_API_KEY: "k" });

    expect(config).toBeUndefined();
    expect(findings).toMatchObject([{ id: "configuration", status: "problem" }]);
    expect(findings[0]?.found).toMatch(/PORT: expected .*; DATA_KEY: expected .*; VERIFY_API_KEY: expected /);
    expect(JSON.stringify(findings)).not.toMatch(/jane|secret/);
  });

  it("doesn't mistake a defect for a wrong variable", () => {
    const broken = () => {
      throw new TypeError("a defect");
    };

    expect(() => checkConfiguration(broken)).toThrow("a defect");
  });

  it("warns that nobody can sign in when somebody might want to", () => {
    const database = { DATABASE_URL: "postgres://db.example/h", DATA_KEY: "A".repeat(43) };

    expect(check({}).findings.map(({ id }) => id)).toContain("configuration.console");
    expect(check({ ...database, ROLE: "worker" }).findings).toHaveLength(1);
  });
});

describe("checkNode", () => {
  it.each([
    ["22.19.0", "ok"],
    ["24.21.0", "ok"],
    ["22.18.9", "problem"],
    ["20.19.0", "problem"],
  ])("calls Node %s %s", (version, status) => {
    expect(checkNode(version)).toMatchObject({ id: "node", status });
  });

  it("requires the same version as the package", () => {
    const { engines } = JSON.parse(readFileSync("package.json", "utf8")) as { engines: { node: string } };

    expect(engines.node).toBe(`>=${OLDEST_NODE}`);
  });
});
