import { onTestFinished } from "vitest";
import type { Dispatcher } from "undici";
import { createAdminClient, type AdminClient } from "../../../adapters/shopify/admin/admin-client.ts";
import type { Operations } from "../../../adapters/shopify/operations/generated/operations.ts";
import { createEnforce } from "../../../adapters/shopify/enforce/enforce.ts";
import {
  createAdminEmulator,
  type AdminEmulator,
  type AdminEmulatorOptions,
} from "../../../tools/emulators/shopify/admin-emulator.ts";
import { createEmulatorDispatcher } from "../../../tools/emulators/shopify/emulator-dispatcher.ts";
import type { EmulatedShop } from "../../../tools/emulators/shopify/emulated-shop.ts";
import { createTokens, type ShopTokens } from "../../../adapters/shopify/admin/tokens.ts";
import type {
  CredentialStore,
  Decision,
  EnforcementStep,
  EnforcementTarget,
  PlatformCallOptions,
  StepOutcome,
  VerificationResult,
} from "../../../src/adapter-kit.ts";

/** The arguments of a client's `request`. */
export type AdminCall<K extends keyof Operations> = readonly [
  shop: string,
  operation: K,
  variables: Operations[K]["variables"],
  options?: PlatformCallOptions,
];

export const SHOP = "demo.myshopify.com";
export const TENANT = `shopify:${SHOP}`;
export const API_KEY = "test-client-id";
export const API_SECRET = "test-client-secret";
export const ORDER_ID = "820982911946154508";

/** A clock that starts now and can be moved. */
export interface TestClock {
  readonly now: () => number;
  readonly advance: (ms: number) => void;
}

/** A clock that runs, and can be moved on. */
export function createTestClock(): TestClock {
  let skippedMs = 0;
  return {
    now: () => Date.now() + skippedMs,
    advance(ms) {
      skippedMs += ms;
    },
  };
}

/** A credential store in memory that records what was done with it. */
export interface MemoryCredentials extends CredentialStore {
  readonly kept: Map<string, string>;
  readonly occasions: string[];
}

export function createMemoryCredentials(): MemoryCredentials {
  const kept = new Map<string, string>();
  const occasions: string[] = [];
  const queues = new Map<string, Promise<unknown>>();
  return {
    kept,
    occasions,
    load: async (tenant) => kept.get(tenant) ?? null,
    async save(tenant, secret, occasion) {
      kept.set(tenant, secret);
      occasions.push(occasion);
    },
    async discard(tenant) {
      kept.delete(tenant);
      occasions.push("discarded");
    },
    exclusively(tenant, work) {
      const turn = (queues.get(tenant) ?? Promise.resolve()).catch(() => undefined).then(work);
      queues.set(tenant, turn);
      return turn;
    },
  };
}

/** The app's side of one emulated shop, which has been opened once. */
export interface AdminFixture {
  readonly emulator: AdminEmulator;
  readonly shop: EmulatedShop;
  readonly dispatcher: Dispatcher;
  readonly clock: TestClock;
  readonly credentials: MemoryCredentials;
  readonly tokens: ShopTokens;
  readonly client: AdminClient;
  /** Take a step as a worker that has only what the earlier try left behind. */
  readonly enforce: (step: EnforcementStep, target?: Partial<EnforcementTarget>) => Promise<StepOutcome>;
  /** How often an operation was sent. */
  readonly count: (operation: string) => number;
}

export interface FixtureOptions extends Partial<AdminEmulatorOptions> {
  readonly timeoutMs?: number;
  /** Leave the shop without access. */
  readonly unopened?: boolean;
}

export async function startFixture(options: FixtureOptions = {}): Promise<AdminFixture> {
  const clock = createTestClock();
  const emulator = createAdminEmulator({
    apiKey: API_KEY,
    apiSecret: API_SECRET,
    now: clock.now,
    ...options,
  });
  await emulator.listen();
  const shop = emulator.shop(SHOP);
  const dispatcher = createEmulatorDispatcher(emulator);
  onTestFinished(async () => {
    await dispatcher.destroy();
    await emulator.close();
  });
  const credentials = createMemoryCredentials();
  const { timeoutMs = 30_000 } = options;
  const parts = { dispatcher, now: clock.now, timeoutMs };
  const tokens = createTokens({ ...parts, apiKey: API_KEY, apiSecret: API_SECRET, credentials });
  const client = createAdminClient({ ...parts, tokens });
  if (options.unopened !== true) keepToken(credentials, shop, clock.now());
  const enforceStep = createEnforce(client, clock.now);
  return {
    emulator,
    shop,
    dispatcher,
    clock,
    credentials,
    tokens,
    client,
    enforce: (step, target = {}) => enforceStep(step, { ...createTarget(), ...target }),
    count: (operation) => emulator.operations.filter(({ name }) => name === operation).length,
  };
}

/** Give the app a fresh token pair of the shop. */
export function keepToken(credentials: MemoryCredentials, shop: EmulatedShop, nowMs: number): void {
  const issued = shop.tokens.issue();
  const credential = {
    accessToken: issued.access_token,
    expiresAtMs: nowMs + issued.expires_in * 1000,
    refreshToken: issued.refresh_token,
    refreshUntilMs: nowMs + issued.refresh_token_expires_in * 1000,
  };
  credentials.kept.set(`shopify:${shop.domain}`, JSON.stringify(credential));
}

export function createResult(changes: Partial<VerificationResult> = {}): VerificationResult {
  return {
    riskScore: 72,
    riskLevel: "high",
    riskFactors: [
      { factor: "Free mail", severity: "low", description: "A free mail provider.", category: "customer" },
      { factor: "Mismatch", severity: "high", description: "Countries differ.", category: "address" },
    ],
    reasoning: "Two signals speak against the order.",
    recommendations: ["Call the customer."],
    ...changes,
  };
}

export function createDecision(changes: Partial<Decision> = {}): Decision {
  return {
    action: "hold",
    tags: ["holdfast-high"],
    reasons: ["level:high"],
    source: "service",
    degraded: false,
    riskLevel: "high",
    riskScore: 72,
    enforce: true,
    policyVersion: 1,
    ...changes,
  };
}

export function createTarget(changes: Partial<EnforcementTarget> = {}): EnforcementTarget {
  return {
    tenant: TENANT,
    orderId: ORDER_ID,
    decision: createDecision(),
    formerTags: [],
    result: createResult(),
    cancel: { refund: true, restock: true, notifyCustomer: false },
    memory: {},
    ...changes,
  };
}

/** The outcome as a `wait`; fails the test if it is another. */
export function asWait(outcome: StepOutcome): Extract<StepOutcome, { readonly outcome: "wait" }> {
  if (outcome.outcome !== "wait") throw new Error(`expected a wait, got ${JSON.stringify(outcome)}`);
  return outcome;
}
