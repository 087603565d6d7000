import { randomBytes, randomUUID } from "node:crypto";
import { LRUCache } from "lru-cache";
import type { ErrorCode } from "../../base/errors.ts";
import { createSerialQueue } from "../../base/queues.ts";
import { findAttemptLimit, type EarlierAttempt } from "../credits/attempt-limit.ts";
import { fillSources, findCounted, type Level } from "../credits/bursts.ts";
import { toCounting, toHeldBack } from "../credits/circuits.ts";
import type {
  AttemptEnd,
  AttemptGrant,
  AttemptRequest,
  CircuitStore,
  KeptAnswer,
  ScreeningStore,
  SharedBlock,
} from "../credits/spending.ts";
import { createKeyring, DATA_KEY_BYTES, type Keyring } from "../sealing/keyring.ts";
import type { TenantStore } from "../tenants/tenant-store.ts";

/** What asking the service needs of a store. */
export type ScreeningLedger = ScreeningStore &
  CircuitStore &
  Pick<TenantStore, "takeQuota"> & { readonly keyring: Keyring; close(): Promise<void> };

/** Options of {@link createMemoryLedger}. */
export interface MemoryLedgerOptions {
  /** Milliseconds since the epoch. Default: the system's clock. */
  readonly now?: (() => number) | undefined;
  /** Order states kept at most; the one that was asked about longest ago goes first. Default 20,000. */
  readonly maxEntries?: number | undefined;
  /** Bytes that their answers take at most, roughly. Default 64 MiB. */
  readonly maxBytes?: number | undefined;
}

const MAX_ENTRIES = 20_000;
const MAX_BYTES = 64 * 1024 * 1024;
const DAY_MS = 86_400_000;
/** As long as orders are kept elsewhere. */
const MAX_AGE_MS = 90 * DAY_MS;
/** Budgets look at a month, which may have begun in another time zone. */
const COUNTED_DAYS = 40;
/** Circuits, sources and quotas, of which there are few. */
const MAX_NAMES = 20_000;

/** A call as the ledger has it. */
type Attempt = { -readonly [K in keyof EarlierAttempt]: EarlierAttempt[K] } & {
  readonly tenant: string;
  /** Of its order state. */
  readonly key: string;
};

/** What is known of one order state. */
interface OrderState {
  readonly attempts: ReadonlyMap<string, Attempt>;
  readonly answer?: { readonly kept: KeptAnswer; readonly askedAtMs: number };
}

/**
 * Create the ledger of a storefront without a database: the answers, the calls and the budget, in the memory of one process
 * and gone with it. Bounded by number, bytes and age. Budgets are exact also for what was dropped.
 */
export function createMemoryLedger(options: MemoryLedgerOptions = {}): ScreeningLedger {
  const { now = Date.now, maxEntries = MAX_ENTRIES, maxBytes = MAX_BYTES } = options;
  const states = new LRUCache<string, OrderState>({
    max: maxEntries,
    maxSize: maxBytes,
    sizeCalculation: toBytes,
    ttl: MAX_AGE_MS,
    ttlResolution: 0,
    perf: { now },
  });
  /** Calls that have not ended, by their id: as many as are under way at once. */
  const open = new Map<string, Attempt>();
  const levels = new LRUCache<string, Level>({ max: MAX_NAMES });
  const circuits = new LRUCache<string, SharedBlock>({ max: MAX_NAMES });
  const quotas = new LRUCache<string, ReadonlyMap<string, number>>({ max: MAX_NAMES });
  const [spent, saved] = [createDayCounter(now), createDayCounter(now)];
  const answeredAtMs = new Map<string, number>();
  const inTurn = createSerialQueue();
  let purgedAtMs = now();

  const toKey = (tenant: string, fingerprint: string): string => `${tenant}\0${fingerprint}`;

  function findKept(tenant: string, fingerprint: string, sinceMs: number): KeptAnswer | null {
    const kept = states.get(toKey(tenant, fingerprint))?.answer?.kept;
    return kept !== undefined && kept.answeredAtMs > sinceMs ? kept : null;
  }

  /** What is dropped by age is found when something is added, at most once an hour. */
  function keep(key: string, state: OrderState): void {
    states.set(key, state);
    if (Math.abs(now() - purgedAtMs) < DAY_MS / 24) return;
    purgedAtMs = now();
    states.purgeStale();
  }

  function brakeAtSources(tenant: string, { limit, sources, atMs }: AttemptRequest["burst"]) {
    if (limit === null || sources.length === 0) return undefined;
    const known = new Map(
      sources.flatMap((source) => {
        const level = levels.get(toKey(tenant, source));
        return level === undefined ? [] : [[source, level] as const];
      }),
    );
    const { filled, braked } = fillSources(known, { limit, sources, atMs });
    for (const { source, ...level } of filled) levels.set(toKey(tenant, source), level);
    return braked;
  }

  function addAttempt(
    request: AttemptRequest,
    outcome: Pick<Attempt, "state" | "metered" | "error">,
  ): string {
    const { tenant, fingerprint, nowMs, answersSinceMs, leaseMs } = request;
    const key = toKey(tenant, fingerprint);
    const state = states.get(key);
    const id = randomUUID();
    const isOpen = outcome.state === "sent";
    const attempt: Attempt = {
      ...outcome,
      tenant,
      key,
      // Whoever asks again may have done so by a clock that is ahead of this one.
      started_at: Math.max(nowMs, answersSinceMs + 1),
      ended_at: isOpen ? null : nowMs,
      lease_until: nowMs + leaseMs,
    };
    keep(key, { ...state, attempts: new Map(state?.attempts).set(id, attempt) });
    if (!isOpen) return id;
    open.set(id, attempt);
    spent.add(tenant, attempt.started_at, 1);
    return id;
  }

  /** Calls that count for the request, after those whose lease ran out were given up. */
  function findAttempts({ tenant, fingerprint, ...request }: AttemptRequest): readonly Attempt[] {
    const attempts = [...(states.get(toKey(tenant, fingerprint))?.attempts.values() ?? [])];
    for (const attempt of attempts) {
      if (attempt.state === "sent" && attempt.lease_until <= request.nowMs) attempt.state = "unknown";
    }
    return attempts.filter(
      ({ state, started_at: atMs }) =>
        state === "sent" ||
        atMs > request.answersSinceMs ||
        (state !== "answered" && atMs > request.failuresSinceMs),
    );
  }

  function findSpentCap({ tenant, budget }: AttemptRequest): AttemptGrant | undefined {
    const { daily, monthly, dayStartMs, monthStartMs } = budget;
    const isSpent = (cap: number | null, sinceMs: number) =>
      cap !== null && spent.sum(tenant, sinceMs) >= cap;
    if (isSpent(daily, dayStartMs)) return { outcome: "over-budget", cap: "daily", outbid: false };
    if (isSpent(monthly, monthStartMs)) return { outcome: "over-budget", cap: "monthly", outbid: false };
    return undefined;
  }

  async function beginAttempt(request: AttemptRequest): Promise<AttemptGrant> {
    const { tenant, fingerprint, circuit, nowMs, answersSinceMs } = request;
    const attempts = findAttempts(request);
    const answer = findKept(tenant, fingerprint, answersSinceMs);
    if (answer !== null) return { outcome: "answered", answer };
    const underWay = attempts.find(({ state }) => state === "sent");
    if (underWay !== undefined) return { outcome: "busy", leaseUntilMs: underWay.lease_until };
    const hasAnswerSince = async (atMs: number) => (answeredAtMs.get(tenant) ?? -Infinity) > atMs;
    const obstacle = (await findAttemptLimit(request, attempts, hasAnswerSince)) ?? findSpentCap(request);
    if (obstacle !== undefined) return obstacle;
    const [block] = findBlocks([circuit], nowMs);
    return toHeldBack(block, nowMs) ?? brake(request, attempts) ?? grant(request, block);
  }

  function brake(request: AttemptRequest, attempts: readonly Attempt[]): AttemptGrant | undefined {
    const counted = findCounted(attempts, request.nowMs);
    if (counted !== null) return counted;
    const braked = brakeAtSources(request.tenant, request.burst);
    if (braked !== undefined) addAttempt(request, { state: "failed", metered: "no", error: "BURST_BRAKED" });
    return braked;
  }

  function grant(request: AttemptRequest, block: SharedBlock | undefined): AttemptGrant {
    // One process asks one by one, so nobody else can have taken the trial in between.
    if (block !== undefined) circuits.set(block.name, { ...block, trialUntilMs: request.trialUntilMs });
    const sinceUptimeMs = performance.now();
    const attemptId = addAttempt(request, { state: "sent", metered: null, error: null });
    return { outcome: "granted", attemptId, isTrial: block !== undefined, sinceUptimeMs };
  }

  function findBlocks(names: readonly string[], nowMs: number): readonly SharedBlock[] {
    return toCounting(
      names.flatMap((name) => circuits.get(name) ?? []),
      nowMs,
    );
  }

  function finish(attempt: Attempt, end: AttemptEnd, nowMs: number): void {
    attempt.ended_at = nowMs;
    if (end.state === "failed") {
      attempt.state = end.metered === "unknown" ? "unknown" : "failed";
      attempt.metered = end.metered;
      attempt.error = end.error satisfies ErrorCode;
      if (end.metered === "no") spent.add(attempt.tenant, attempt.started_at, -1);
      return;
    }
    attempt.state = "answered";
    attempt.metered = "yes";
    const { tenant, started_at: askedAtMs, key } = attempt;
    answeredAtMs.set(tenant, Math.max(answeredAtMs.get(tenant) ?? 0, askedAtMs));
    // A late answer to an older question must not contradict the decision that the newer one led to.
    const state = states.get(key) ?? { attempts: new Map<string, Attempt>() };
    if ((state.answer?.askedAtMs ?? -Infinity) > askedAtMs) return;
    const kept = { result: end.result, answeredAtMs: Math.max(nowMs, askedAtMs) };
    keep(key, { ...state, answer: { kept, askedAtMs } });
  }

  return {
    keyring: createKeyring(randomBytes(DATA_KEY_BYTES)),
    findAnswer: async (tenant, fingerprint, sinceMs) => findKept(tenant, fingerprint, sinceMs),
    beginAttempt: (request) => inTurn(request.tenant, () => beginAttempt(request)),
    countAtSources: async (tenant, burst) => brakeAtSources(tenant, burst) ?? null,
    async finishAttempt(attemptId, end, nowMs) {
      const attempt = open.get(attemptId);
      if (attempt === undefined) return;
      open.delete(attemptId);
      finish(attempt, end, nowMs);
    },
    async recordSaving(tenant, reason, count, nowMs) {
      saved.add(`${tenant}\0${reason}`, nowMs, count);
    },
    async creditUse(tenant, { dayStartMs, monthStartMs }) {
      const savedByReason = saved.sums(`${tenant}\0`, monthStartMs);
      const savedMonth = Object.values(savedByReason).reduce((sum, count) => sum + count, 0);
      return {
        spentToday: spent.sum(tenant, dayStartMs),
        spentMonth: spent.sum(tenant, monthStartMs),
        savedMonth,
        savedByReason,
      };
    },
    async saveCircuit(name, block) {
      if (block === null) circuits.delete(name);
      else circuits.set(name, { ...block, untilMs: Math.ceil(block.untilMs), name, trialUntilMs: 0 });
    },
    findBlocks: async (names, nowMs) => findBlocks(names, nowMs),
    async takeQuota({ tenant, name, key, sinceMs, max, nowMs }) {
      const taken = quotas.get(toKey(tenant, name)) ?? new Map<string, number>();
      if (taken.has(key)) return true;
      const recent = [...taken].filter(([, atMs]) => atMs > sinceMs);
      if (recent.length >= max) return false;
      quotas.set(toKey(tenant, name), new Map([...recent, [key, nowMs]]));
      return true;
    },
    async close() {
      states.clear();
    },
  };
}

/** Roughly what an order state takes; texts are two bytes a character at most. */
function toBytes({ attempts, answer }: OrderState): number {
  const own = 400 + attempts.size * 200;
  return answer === undefined ? own : own + 2 * JSON.stringify(answer.kept.result).length;
}

/** Counts by UTC day, for as long as a budget looks back. */
function createDayCounter(now: () => number) {
  const days = new Map<string, Map<number, number>>();
  const toDay = (atMs: number): number => Math.floor(atMs / DAY_MS);

  function sum(name: string, sinceMs: number): number {
    let total = 0;
    for (const [day, count] of days.get(name) ?? []) if (day >= toDay(sinceMs)) total += count;
    return total;
  }

  return {
    sum,
    add(name: string, atMs: number, count: number): void {
      const counts = days.get(name) ?? new Map<number, number>();
      days.set(name, counts.set(toDay(atMs), (counts.get(toDay(atMs)) ?? 0) + count));
      for (const day of counts.keys()) if (day < toDay(now()) - COUNTED_DAYS) counts.delete(day);
    },
    /** The sums of all names that begin with `prefix`, by the rest of the name. */
    sums(prefix: string, sinceMs: number): Readonly<Record<string, number>> {
      const names = [...days.keys()].filter((name) => name.startsWith(prefix)).toSorted();
      return Object.fromEntries(names.map((name) => [name.slice(prefix.length), sum(name, sinceMs)]));
    },
  };
}
