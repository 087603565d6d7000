import { randomBytes, randomUUID } from "node:crypto";
import { LRUCache } from "lru-cache";
import { atMost } from "../../base/entry-limit.ts";
import { createSerialQueue } from "../../base/waiting.ts";
import { findAttemptLimit, toCounting, toBlocked, type EarlierAttempt } from "../credits/attempt-limit.ts";
import {
  fillSources,
  findEarlierBrake,
  wasLetThrough,
  type Braked,
  type Level,
} from "../credits/burst-brake.ts";
import type { Ledger } from "../credits/ledger.ts";
import type {
  AttemptEnd,
  AttemptGrant,
  AttemptRequest,
  BudgetPeriods,
  CircuitBlock,
  CreditUse,
  KeptAnswer,
  StoredBlock,
} from "../credits/attempt.ts";
import { DEFAULT_KEEPING_TIMES } from "../retention/keeping-times.ts";
import { createKeyring, DATA_KEY_BYTES } from "../sealing/keyring.ts";
import type { Quota } from "../quotas.ts";

export interface MemoryLedgerOptions {
  /** Milliseconds since the epoch. Default: the system's clock. */
  readonly now?: (() => number) | undefined;
  /** The most order states to keep. The one that was checked longest ago is dropped first. Default 20,000. */
  readonly maxEntries?: number | undefined;
  /** The most bytes for their answers, roughly. Default 64 MiB. */
  readonly maxBytes?: number | undefined;
}

const MAX_ENTRIES = 20_000;
const MAX_BYTES = 64 * 1024 * 1024;
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** As long as a database keeps orders. */
const MAX_AGE_MS = DEFAULT_KEEPING_TIMES.ordersDays * DAY_MS;
/** Budgets count a month, which may have begun earlier in another time zone. */
const COUNTED_DAYS = 40;
/** Circuits, sources and quotas. There are few of them. */
const MAX_NAMES = 20_000;

type Attempt = { -readonly [K in keyof EarlierAttempt]: EarlierAttempt[K] } & {
  readonly tenant: string;
  /** The key of its order state. */
  readonly key: string;
};

interface KeptState {
  readonly attempts: ReadonlyMap<string, Attempt>;
  readonly answer?: { readonly kept: KeptAnswer; readonly askedAtMs: number };
}

/**
 * Create the ledger of a storefront without a database. It keeps answers, calls and budget in the memory of one process,
 * limited by number, bytes and age. Budgets stay exact for entries that were dropped.
 */
export function createMemoryLedger(options: MemoryLedgerOptions = {}) {
  const ledger = new MemoryLedger(options);
  return { ledger, keyring: createKeyring(randomBytes(DATA_KEY_BYTES)), close: () => ledger.forget() };
}

const toKey = (tenant: string, name: string): string => `${tenant}\0${name}`;

class MemoryLedger implements Ledger {
  readonly #now: () => number;
  readonly #states: LRUCache<string, KeptState>;
  /** Calls under way, by ID. */
  readonly #open = new Map<string, Attempt>();
  readonly #levels = new LRUCache<string, Level>(atMost(MAX_NAMES));
  readonly #circuits = new LRUCache<string, StoredBlock>(atMost(MAX_NAMES));
  readonly #quotas = new LRUCache<string, ReadonlyMap<string, number>>(atMost(MAX_NAMES));
  readonly #spent: DayCounter;
  readonly #saved: DayCounter;
  /** For each tenant, of the ended calls that show whether the service works, the one that began last. */
  readonly #newest = new Map<string, Pick<Attempt, "state" | "started_at">>();
  /** When the newest failed one began. */
  readonly #failedAtMs = new Map<string, number>();
  readonly #inTurn = createSerialQueue();
  #purgedAtMs: number;

  constructor({ now = Date.now, maxEntries = MAX_ENTRIES, maxBytes = MAX_BYTES }: MemoryLedgerOptions) {
    this.#now = now;
    this.#purgedAtMs = now();
    this.#spent = createDayCounter(now);
    this.#saved = createDayCounter(now);
    this.#states = new LRUCache({
      max: maxEntries,
      maxSize: maxBytes,
      sizeCalculation: toBytes,
      ttl: MAX_AGE_MS,
      ttlResolution: 0,
      perf: { now },
    });
  }

  async findAnswer(tenant: string, fingerprint: string, sinceMs: number): Promise<KeptAnswer | null> {
    return this.#findKept(tenant, fingerprint, sinceMs);
  }

  begin(request: AttemptRequest): Promise<AttemptGrant> {
    return this.#inTurn(request.tenant, () => this.#begin(request));
  }

  async countAtSources(tenant: string, burst: AttemptRequest["burst"]): Promise<Braked | null> {
    return this.#brakeAtSources(tenant, burst) ?? null;
  }

  async finish(attemptId: string, end: AttemptEnd, nowMs: number): Promise<void> {
    const attempt = this.#open.get(attemptId);
    if (attempt === undefined) return;
    this.#open.delete(attemptId);
    attempt.ended_at = nowMs;
    if (end.state === "failed") {
      attempt.state = end.metered === "unknown" ? "unknown" : "failed";
      attempt.metered = end.metered;
      attempt.error = end.error;
      if (end.metered === "no") this.#spent.add(attempt.tenant, attempt.started_at, -1);
      else if (end.error !== "VERIFICATION_REFUSED") this.#noteNewest(attempt);
      return;
    }
    attempt.state = "answered";
    attempt.metered = "yes";
    this.#noteNewest(attempt);
    this.#keepAnswer(attempt, end.result, nowMs);
  }

  async recordSaving(tenant: string, reason: string, count: number, nowMs: number): Promise<void> {
    this.#saved.add(toKey(tenant, reason), nowMs, count);
  }

  async creditUse(tenant: string, { dayStartMs, monthStartMs }: BudgetPeriods): Promise<CreditUse> {
    const savedByReason = this.#saved.sums(toKey(tenant, ""), monthStartMs);
    return {
      spentToday: this.#spent.sum(tenant, dayStartMs),
      spentMonth: this.#spent.sum(tenant, monthStartMs),
      savedMonth: Object.values(savedByReason).reduce((sum, count) => sum + count, 0),
      savedByReason,
    };
  }

  async saveBlock(name: string, block: CircuitBlock | null): Promise<void> {
    if (block === null) this.#circuits.delete(name);
    else this.#circuits.set(name, { ...block, untilMs: Math.ceil(block.untilMs), name, trialUntilMs: 0 });
  }

  async findBlocks(names: readonly string[], nowMs: number): Promise<readonly StoredBlock[]> {
    const kept = names.flatMap((name) => this.#circuits.get(name) ?? []);
    return toCounting(kept, nowMs);
  }

  async takeQuota({ tenant, name, key, sinceMs, max, nowMs }: Quota): Promise<boolean> {
    const taken = this.#quotas.get(toKey(tenant, name)) ?? new Map<string, number>();
    if (taken.has(key)) return true;
    const latestMs = nowMs + (nowMs - sinceMs);
    const recent = [...taken].filter(([, atMs]) => atMs > sinceMs && atMs <= latestMs);
    if (recent.length >= max) return false;
    this.#quotas.set(toKey(tenant, name), new Map([...recent, [key, nowMs]]));
    return true;
  }

  forget(): void {
    this.#states.clear();
  }

  /** Checks in the same order as the SQL ledger: see {@link Ledger.begin}. */
  async #begin(request: AttemptRequest): Promise<AttemptGrant> {
    const { tenant, fingerprint, circuit, nowMs, answersSinceMs } = request;
    const attempts = this.#findAttempts(request);
    const answer = this.#findKept(tenant, fingerprint, answersSinceMs);
    if (answer !== null) return { outcome: "answered", answer };
    const underWay = attempts.find(({ state }) => state === "sent");
    if (underWay !== undefined) return { outcome: "busy", leaseUntilMs: underWay.lease_until };
    const newest = this.#newest.get(tenant);
    const failedAtMs = this.#failedAtMs.get(tenant) ?? -Infinity;
    const isAnsweringSince = async (atMs: number, quietSinceMs: number) =>
      newest?.state === "answered" && newest.started_at > atMs && failedAtMs <= Math.max(quietSinceMs, atMs);
    const limit = await findAttemptLimit(request, attempts, isAnsweringSince);
    const obstacle = limit ?? this.#findSpentCap(request);
    if (obstacle !== undefined) return obstacle;
    const [block] = await this.findBlocks([circuit], nowMs);
    return toBlocked(block, nowMs) ?? this.#brake(request, attempts) ?? this.#grant(request, block);
  }

  #findKept(tenant: string, fingerprint: string, sinceMs: number): KeptAnswer | null {
    const kept = this.#states.get(toKey(tenant, fingerprint))?.answer?.kept;
    return kept !== undefined && kept.answeredAtMs > sinceMs ? kept : null;
  }

  /** The calls that count for the request, after calls with an expired lease were marked as lost. */
  #findAttempts({ tenant, fingerprint, ...request }: AttemptRequest): readonly Attempt[] {
    const attempts = [...(this.#states.get(toKey(tenant, fingerprint))?.attempts.values() ?? [])];
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

  #findSpentCap({ tenant, budget }: AttemptRequest): AttemptGrant | undefined {
    const { daily, monthly, dayStartMs, monthStartMs } = budget;
    const isSpent = (cap: number | null, sinceMs: number) =>
      cap !== null && this.#spent.sum(tenant, sinceMs) >= cap;
    if (isSpent(daily, dayStartMs)) return { outcome: "over-budget", cap: "daily", outbid: false };
    if (isSpent(monthly, monthStartMs)) return { outcome: "over-budget", cap: "monthly", outbid: false };
    return undefined;
  }

  #brake(request: AttemptRequest, attempts: readonly Attempt[]): AttemptGrant | undefined {
    if (wasLetThrough(attempts)) return undefined;
    const earlier = findEarlierBrake(attempts, request.nowMs);
    if (earlier !== undefined) return earlier;
    const braked = this.#brakeAtSources(request.tenant, request.burst);
    if (braked !== undefined) {
      this.#add(request, { state: "failed", metered: "no", error: "BURST_BRAKED" });
    }
    return braked;
  }

  #brakeAtSources(tenant: string, { limit, sources, atMs }: AttemptRequest["burst"]): Braked | undefined {
    if (limit === null || sources.length === 0) return undefined;
    const known = new Map<string, Level>();
    for (const source of sources) {
      const level = this.#levels.get(toKey(tenant, source));
      if (level !== undefined) known.set(source, level);
    }
    // Orders aren't stored, so no source has a history.
    const { filled, braked } = fillSources(known, { sources, atMs }, () => limit);
    for (const { source, ...level } of filled) this.#levels.set(toKey(tenant, source), level);
    return braked;
  }

  #grant(request: AttemptRequest, block: StoredBlock | undefined): AttemptGrant {
    // Calls begin one by one, so no other call can have taken the trial in between.
    if (block !== undefined) {
      this.#circuits.set(block.name, { ...block, trialUntilMs: request.trialUntilMs });
    }
    const sinceUptimeMs = performance.now();
    const attemptId = this.#add(request, { state: "sent", metered: null, error: null });
    return { outcome: "granted", attemptId, isTrial: block !== undefined, sinceUptimeMs };
  }

  #add(request: AttemptRequest, outcome: Pick<Attempt, "state" | "metered" | "error">): string {
    const { tenant, fingerprint, nowMs, answersSinceMs, leaseMs } = request;
    const key = toKey(tenant, fingerprint);
    const state = this.#states.get(key);
    const id = randomUUID();
    const isOpen = outcome.state === "sent";
    const attempt: Attempt = {
      ...outcome,
      tenant,
      key,
      // A later caller's clock may be ahead of this one.
      started_at: Math.max(nowMs, answersSinceMs + 1),
      ended_at: isOpen ? null : nowMs,
      lease_until: nowMs + leaseMs,
    };
    this.#keep(key, { ...state, attempts: new Map(state?.attempts).set(id, attempt) });
    if (!isOpen) return id;
    this.#open.set(id, attempt);
    this.#spent.add(tenant, attempt.started_at, 1);
    return id;
  }

  #noteNewest({ tenant, state, started_at: startedAtMs }: Attempt): void {
    if (state !== "answered")
      this.#failedAtMs.set(tenant, Math.max(this.#failedAtMs.get(tenant) ?? startedAtMs, startedAtMs));
    const known = this.#newest.get(tenant);
    if (known === undefined || known.started_at <= startedAtMs)
      this.#newest.set(tenant, { state, started_at: startedAtMs });
  }

  #keepAnswer({ started_at: askedAtMs, key }: Attempt, result: KeptAnswer["result"], nowMs: number): void {
    const state = this.#states.get(key) ?? { attempts: new Map<string, Attempt>() };
    // A late answer to an older call must not contradict the decision that a newer answer led to.
    if ((state.answer?.askedAtMs ?? -Infinity) > askedAtMs) return;
    const kept = { result, answeredAtMs: Math.max(nowMs, askedAtMs) };
    this.#keep(key, { ...state, answer: { kept, askedAtMs } });
  }

  /** Old entries are dropped when something is added, at most once an hour. */
  #keep(key: string, state: KeptState): void {
    this.#states.set(key, state);
    if (Math.abs(this.#now() - this.#purgedAtMs) < HOUR_MS) return;
    this.#purgedAtMs = this.#now();
    this.#states.purgeStale();
  }
}

/** The rough size of an order state. Texts take at most two bytes per character. */
function toBytes({ attempts, answer }: KeptState): number {
  const own = 400 + attempts.size * 200;
  return answer === undefined ? own : own + 2 * JSON.stringify(answer.kept.result).length;
}

/** Counts per UTC day, for as long as a budget looks back. */
type DayCounter = ReturnType<typeof createDayCounter>;

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
    /** The sums of all names that begin with `prefix`, keyed by the rest of the name. */
    sums(prefix: string, sinceMs: number): Readonly<Record<string, number>> {
      const names = [...days.keys()].filter((name) => name.startsWith(prefix)).toSorted();
      return Object.fromEntries(names.map((name) => [name.slice(prefix.length), sum(name, sinceMs)]));
    },
  };
}
