import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { verifyFile } from "../../src/cli/verify.ts";
import { parseConfig, type Config } from "../../src/config.ts";
import {
  createSandboxService,
  SANDBOX_API_KEY,
  type SandboxService,
} from "../../src/sandbox/sandbox-service.ts";
import type { VerificationRequest } from "../../src/order/request.ts";
import type { OrderCheck } from "../../src/screening/order-check.ts";
import { openConfiguredStore } from "../../src/store/open-store.ts";
import { anOrder } from "../support/orders.ts";

let folder: string;
let service: SandboxService;
let config: Config;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "holdfast-verify-"));
  service = createSandboxService();
  config = parseConfig({
    DATABASE_URL: `sqlite:${join(folder, "h.db")}`,
    VERIFY_URL: (await service.listen()).href,
    VERIFY_API_KEY: SANDBOX_API_KEY,
  });
});

afterEach(async () => {
  await service.close();
  await rm(folder, { recursive: true });
});

/** Save a policy as the console does for its operator. */
async function savePolicy(document: unknown, tenant = "default"): Promise<void> {
  const store = await openConfiguredStore(config, { exclusive: false });
  await store.savePolicy(tenant, document, undefined, 1);
  await store.close();
}

async function verify(changes: Partial<VerificationRequest> = {}, json = true): Promise<string> {
  const file = join(folder, "order.json");
  await writeFile(file, JSON.stringify(anOrder(changes)));
  const lines: string[] = [];
  const problem = () => expect.unreachable("a check that works has no problem to tell");
  await verifyFile(file, json, config, { line: (text) => void lines.push(text), problem });
  return lines.join("\n");
}

const toCheck = (json: string) => JSON.parse(json) as OrderCheck;

describe("verifyFile", () => {
  it("tells what the service says, and pays for it once", async () => {
    const low = { customerEmail: "low@risk.example" };

    expect(toCheck(await verify(low))).toMatchObject({
      status: "verified",
      action: "allow",
      creditsSpent: 1,
    });
    expect(toCheck(await verify(low))).toMatchObject({ status: "cached", action: "allow", creditsSpent: 0 });
    expect(await verify(low, false)).toMatch(/^allow \(cached, level low, .*\nbecause level:low\n/);
    expect(service.calls.filter(({ metered }) => metered)).toHaveLength(1);
  });

  it("decides by the policy that the operator saved", async () => {
    const then = { action: "hold", tags: ["mugs"] };
    await savePolicy({ rules: [{ name: "mugs", when: { product: ["mug"] }, then }] });

    expect(toCheck(await verify({ customerEmail: "low@risk.example" }))).toMatchObject({
      action: "hold",
      tags: ["mugs"],
      reasons: ["rule:mugs", "level:low"],
    });
  });

  it("does not decide by the policy of a shop", async () => {
    await savePolicy({ levels: { low: { action: "hold" } } }, "shopify:a.example");

    expect(toCheck(await verify({ customerEmail: "low@risk.example" })).action).toBe("allow");
  });

  it("spends no more than the saved budget", async () => {
    await savePolicy({ budget: { monthly: 1 } });

    expect(toCheck(await verify({ orderId: "1" })).status).toBe("verified");
    expect(toCheck(await verify({ orderId: "2" }))).toMatchObject({
      status: "degraded",
      creditsSpent: 0,
      reasons: expect.arrayContaining(["degraded:BUDGET_SPENT"]),
    });
    expect(service.calls.filter(({ metered }) => metered)).toHaveLength(1);
  });

  it("names a saved policy that can no longer be used, and asks nobody", async () => {
    await savePolicy({ levels: { low: { action: "burn" } } });

    await expect(verify()).rejects.toMatchObject({ code: "POLICY_INVALID" });
    expect(service.calls).toEqual([]);
  });

  it("tells nothing of a file that is no order", async () => {
    const file = join(folder, "order.json");
    await writeFile(file, '{ "customerEmail": "jane@example.com"');

    const output = { line: () => expect.unreachable(), problem: () => expect.unreachable() };
    await expect(verifyFile(file, true, config, output)).rejects.toMatchObject({
      code: "ORDER_INVALID",
      message: expect.not.stringContaining("jane"),
    });
  });
});
