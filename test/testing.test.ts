import { describe, expect, it } from "vitest";
import {
  createSandboxService,
  SANDBOX_API_KEY,
  SANDBOX_ORGANIZATION,
  SANDBOX_SCENARIOS,
} from "../src/testing.ts";

describe("holdfast/testing", () => {
  it("is enough to start a service and reach it", async () => {
    const service = createSandboxService();
    const base = await service.listen();
    const headers = { "x-api-key": SANDBOX_API_KEY };
    const response = await fetch(new URL("/api/organizations/get", base), { headers });
    await service.close();

    await expect(response.json()).resolves.toMatchObject({
      data: { organizations: [{ slug: SANDBOX_ORGANIZATION }] },
    });
  });

  it("includes the table of email addresses", () => {
    expect(SANDBOX_SCENARIOS.map(({ customerEmail }) => customerEmail)).toContain("critical@risk.example");
  });
});
