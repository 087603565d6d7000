import { describe, expect, it } from "vitest";
import { checkPlatforms } from "../../../src/cli/doctor/platforms.ts";
import type { Finding, Platform } from "../../../src/platform/platform.ts";
import { createTestPlatform } from "../../support/platform.ts";

const tenantsOf = (...names: string[]) =>
  names.map((name) => ({ tenant: `test:${name}`, platform: "test", installedAtMs: 1, hasAccess: true }));

/** Check shops of a platform with this diagnosis. */
async function look(
  tenants: ReturnType<typeof tenantsOf>,
  diagnose?: NonNullable<Platform["diagnose"]>,
): Promise<ReadonlyMap<string, Finding>> {
  const platform = { ...createTestPlatform(), ...(diagnose === undefined ? {} : { diagnose }) };
  const findings = await checkPlatforms({ tenants: { list: async () => tenants } }, [platform]);
  const checks = new Map(findings.map((finding) => [finding.id, finding]));
  expect(checks.size, "each id once").toBe(findings.length);
  return checks;
}

const scopes = (status: Finding["status"], found: string): Finding => ({
  id: "test.scopes",
  status,
  found,
  advice: status === "ok" ? null : "grant them",
});

describe("checkPlatforms", () => {
  it("accepts a platform without a diagnosis", async () => {
    expect([...(await look(tenantsOf("a"))).values()]).toMatchObject([
      { id: "tenants", status: "ok", found: "1 shop installed" },
    ]);
    expect([...(await look([])).values()]).toMatchObject([{ id: "tenants", status: "skipped" }]);
  });

  it("reports once what is the same in all shops", async () => {
    const checks = await look(tenantsOf("a", "b"), async (tenant) =>
      tenant === null ? [{ ...scopes("ok", "https"), id: "test.app-url" }] : [scopes("ok", "all granted")],
    );

    expect([...checks.keys()]).toEqual(["tenants", "test.app-url", "test.scopes"]);
    expect(checks.get("test.scopes")?.found).toBe("all granted");
  });

  it("names the shops with the worst finding", async () => {
    const checks = await look(tenantsOf("a", "b", "c", "d", "e", "f"), async (tenant) => {
      if (tenant === null) return [];
      if (tenant === "test:b") return [scopes("ok", "all granted")];
      return [scopes("problem", tenant === "test:f" ? "another" : "one is missing")];
    });

    expect(checks.get("test.scopes")).toEqual({
      id: "test.scopes",
      status: "problem",
      found: "test:a, test:c, test:d and 1 more: one is missing; another problem in 1 shop",
      advice: "grant them",
    });
  });

  it("distinguishes a shop that couldn't be checked from shops without findings", async () => {
    const checks = await look(tenantsOf("a", "b"), async (tenant) => {
      if (tenant === null) return [];
      return [scopes(tenant === "test:a" ? "skipped" : "ok", `of ${tenant}`)];
    });

    expect(checks.get("test.scopes")).toMatchObject({ status: "ok", found: "of test:b, in 1 of 2 shops" });
  });

  it("asks at most four shops at once, and continues after a defect", async () => {
    let underWay = 0;
    let most = 0;
    const checks = await look(tenantsOf("a", "b", "c", "d", "e", "f", "g", "h"), async (tenant) => {
      if (tenant === null) return [];
      underWay += 1;
      most = Math.max(most, underWay);
      await new Promise(setImmediate);
      underWay -= 1;
      if (tenant === "test:c") throw new Error("jane@example.com");
      return [scopes("ok", "all granted")];
    });

    expect(most).toBe(4);
    expect(checks.get("test.scopes")?.status).toBe("ok");
    expect(checks.get("test.access")).toMatchObject({ status: "problem" });
    expect(JSON.stringify([...checks.values()])).not.toContain("jane");
  });

  it("names shops without access, and those whose platform is not configured", async () => {
    const [first, second] = tenantsOf("a", "b");
    if (first === undefined || second === undefined) throw new Error("expected two");

    expect((await look([first, { ...second, hasAccess: false }])).get("tenants")).toMatchObject({
      status: "warning",
      found: "2 shops installed, without access to test:b",
    });
    expect((await look([first, { ...second, platform: "other" }])).get("tenants")).toMatchObject({
      status: "warning",
      found: "1 shop on a platform that isn't configured: test:b",
    });
  });
});
