import dns from "node:dns";
import { syncBuiltinESMExports } from "node:module";
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";
import {
  createServiceAccesses,
  namingKeyOwners,
  toKeyOwner,
  type ServiceAccesses,
  type ServiceAccessesOptions,
} from "../../src/screening/service-accesses.ts";
import { Secret } from "../../src/base/secret.ts";
import { SILENT_LOGGER } from "../../src/base/logger.ts";
import { UNSET, type OwnService } from "../../src/settings/tenant-settings.ts";
import { createTestStore } from "../support/test-store.ts";
import type { Store } from "../../src/store/store.ts";
import { createLogRecorder } from "../support/log-recorder.ts";
import { anOrder } from "../support/orders.ts";
import { startServiceFront, toKey, type ServiceFront } from "../support/service-front.ts";

const ONE = "shopify:one.example";
const TWO = "shopify:two.example";

let front: ServiceFront;
let store: Store;
let owned: Map<string, OwnService>;
let replaced: string[];
let accesses: ServiceAccesses;

function create(changes: Partial<ServiceAccessesOptions> = {}): ServiceAccesses {
  return createServiceAccesses({
    service: {
      url: front.url.href,
      apiKey: new Secret("key-of-the-app"),
      organization: undefined,
      timeoutMs: 5_000,
    },
    settings: { of: async (tenant) => ({ ...UNSET, service: owned.get(tenant) ?? null }) },
    keyring: store.keyring,
    connections: 2,
    onReplaced: (keyId) => void replaced.push(keyId),
    logger: SILENT_LOGGER,
    now: Date.now,
    ...changes,
  });
}

const own = (tenant: string, apiKey: string, changes: Partial<OwnService> = {}) =>
  owned.set(tenant, { url: null, apiKey: new Secret(apiKey), organization: "a", savedAtMs: 0, ...changes });

async function keyIdOf(tenant: string): Promise<string> {
  return (await accesses.of(tenant))?.keyId ?? "none";
}

async function capOf(tenant: string): Promise<number | undefined> {
  return (await accesses.of(tenant))?.tenantDailyCap;
}

async function ask(tenant: string): Promise<void> {
  await (await accesses.of(tenant))?.verifier.verify(anOrder({ orderId: tenant }));
}

beforeEach(async () => {
  front = await startServiceFront({ "key-of-the-app": toKey("app"), k1: toKey("a"), k2: toKey("a", "b") });
  store = await createTestStore();
  owned = new Map();
  replaced = [];
  accesses = create();
});

afterEach(async () => {
  await accesses.close();
  await store.close();
  await front.close();
});

describe("createServiceAccesses", () => {
  it("names keys by tenant, key and organization, without revealing them", async () => {
    const names = [await keyIdOf(ONE)];
    own(ONE, "key-of-one");
    own(TWO, "key-of-one");
    names.push(await keyIdOf(ONE), await keyIdOf(TWO));
    own(ONE, "key-of-two");
    names.push(await keyIdOf(ONE));
    own(ONE, "key-of-two", { organization: "b" });
    names.push(await keyIdOf(ONE));

    expect(new Set(names).size).toBe(5);
    expect(names[0]).toMatch(/^environment-/);
    expect(names.slice(1).map(toKeyOwner)).toEqual([ONE, TWO, ONE, ONE]);
    expect(toKeyOwner(names[0] ?? "")).toBeUndefined();
    expect(names.join(" ")).not.toMatch(/key-of/);
  });

  it("limits what a tenant spends with the environment's key, but not with its own", async () => {
    await accesses.close();
    accesses = create({ tenantDailyCap: 5 });
    own(TWO, "k1");

    expect([await capOf(ONE), await capOf(TWO)]).toEqual([5, undefined]);
  });

  it("refuses the environment's key to a tenant that may not use it, but never the tenant's own", async () => {
    await accesses.close();
    const plansUrl = "https://admin.shopify.com/store/one/charges/app/pricing_plans";
    accesses = create({
      entitlementOf: async (tenant) =>
        tenant === ONE ? { outcome: "no-plan", plansUrl } : { outcome: "entitled" },
    });

    expect([await keyIdOf(ONE), await keyIdOf(TWO)]).toEqual([
      "none",
      expect.stringMatching(/^environment-/),
    ]);
    expect(await accesses.entitlement(ONE)).toEqual({ outcome: "no-plan", plansUrl });
    own(ONE, "k1");
    expect(toKeyOwner(await keyIdOf(ONE))).toBe(ONE);
  });

  it("serves only tenants' own keys if the environment has an address and no key", async () => {
    await accesses.close();
    accesses = create({
      service: { url: front.url.href, apiKey: undefined, organization: undefined, timeoutMs: 5_000 },
    });
    own(ONE, "k1");

    expect([toKeyOwner(await keyIdOf(ONE)), await keyIdOf(TWO)]).toEqual([ONE, "none"]);
    expect(await accesses.entitlement(TWO)).toBeNull();
  });

  it("reports an unused key once", async () => {
    own(ONE, "k1");
    const first = await keyIdOf(ONE);
    own(ONE, "k2");
    const second = await keyIdOf(ONE);
    await keyIdOf(ONE);
    owned.clear();
    await keyIdOf(ONE);

    expect(replaced).toEqual([first, second]);
  });

  it("uses a key even if its connections were closed to make room for others", async () => {
    await accesses.close();
    accesses = create({ maxClients: 1 });
    own(ONE, "k1");
    own(TWO, "k2");
    const access = await accesses.of(ONE);

    for (const tenant of [ONE, TWO, ONE, "shopify:three.example"]) await ask(tenant);
    await access?.verifier.verify(anOrder());

    expect(
      front.calls.filter((line) => line.endsWith("verification")).map((line) => line.split(" ")[0]),
    ).toEqual(["k1", "k2", "k1", "key-of-the-app", "k1"]);
  });

  it("tests a key with the free call, without asking about an order", async () => {
    own(ONE, "k1");
    const keyId = await keyIdOf(ONE);

    await accesses.probe(keyId);
    await accesses.probe(await keyIdOf(TWO));
    front.revoked.add("k1");

    await expect(accesses.probe(keyId)).rejects.toMatchObject({ code: "VERIFICATION_UNAUTHORIZED" });
    await expect(accesses.probe("own-unknown:nobody")).rejects.toMatchObject({
      code: "VERIFICATION_ABORTED",
    });
    expect(front.calls).toEqual(["k1 organizations", "key-of-the-app organizations", "k1 organizations"]);
  });

  it("falls back if an own key no longer has an address", async () => {
    own(ONE, "k1");
    const local = create({ service: undefined });

    expect(await local.of(ONE)).toBeNull();
    await local.close();
  });

  it("allows only public addresses for an address that isn't the environment's", async () => {
    own(ONE, "k1", { url: "https://inside.example/" });
    // Which names resolve to this machine differs from machine to machine.
    const lookup = vi
      .spyOn(dns, "lookup")
      .mockImplementation(((_name: string, _options: object, done: (error: null, found: object[]) => void) =>
        done(null, [{ address: "127.0.0.1", family: 4 }])) as unknown as typeof dns.lookup);
    syncBuiltinESMExports();
    onTestFinished(() => {
      lookup.mockRestore();
      syncBuiltinESMExports();
    });

    await expect(ask(ONE)).rejects.toMatchObject({
      code: "VERIFICATION_UNREACHABLE",
      message: expect.stringContaining("EPRIVATE"),
    });
  });
});

describe("namingKeyOwners", () => {
  it("adds the tenant only to lines about a tenant's own key", () => {
    const { lines, logger } = createLogRecorder();
    const naming = namingKeyOwners(logger);

    for (const level of ["debug", "info", "warn", "error"] as const)
      naming[level]({ keyId: `own-x:${ONE}` }, "a");
    naming.error({ keyId: "environment-x" }, "b");

    expect(lines.map(({ tenant }) => tenant)).toEqual([ONE, ONE, ONE, ONE, undefined]);
  });
});
