import { randomUUID } from "node:crypto";
// Bound on import: a test that fakes timers must not stop the store.
import { setTimeout as pause } from "node:timers/promises";
import type { Client } from "pg";
import type { Logger } from "../../../base/logger.ts";
import {
  forgetProcess,
  isAnyMissing,
  isStillRegistered,
  lockProcess,
  registerProcess,
  takeBack,
} from "./postgres-dead-processes.ts";
import { toConnectionConfig, type Driver } from "./postgres-pool.ts";

/**
 * This process among those that share the database. It keeps a lock on a connection of its own, which the server
 * releases when the connection ends, however it ends; and it looks after the locks of the others.
 */
export interface RegisteredProcess {
  /** The id under which leases are taken; null while there is none, so that they end by time alone. */
  id(): Promise<string | null>;
  /** Call `listener` when the connection was lost for so long that others may take over, until the returned function is called. */
  onLeasesLost(listener: () => void): () => void;
  /** Let the connection go. What is still leased is taken over by the others. */
  close(): Promise<void>;
}

/** Options of {@link createRegisteredProcess}. */
export interface RegisteredProcessOptions {
  readonly driver: Driver;
  readonly url: string;
  /** Milliseconds since the epoch, as those who claim have it. */
  readonly now: () => number;
  readonly logger: Logger;
}

/** Between two looks at the other processes. The answer also shows that the connection lives. */
const LOOK_EVERY_MS = 500;
/** While one of them is missing. */
const LOOK_CLOSELY_MS = 100;
/** Without an answer after this the connection is lost. */
const ANSWER_TIMEOUT_MS = 8_000;
const CONNECT_TIMEOUT_MS = 2_000;
const RETRY_MS = 250;
const LOCK_RETRY_MS = 100;
/** After the loss of the connection. Less than the grace after which others take over. */
const LET_GO_AFTER_MS = 1_500;
/**
 * After a restart of the database every process is missing for a moment. Only one that has been connected for this long
 * declares others dead.
 */
const SETTLED_AFTER_MS = 5_000;
/** What a dead process's last statements still lease is looked for this long after its death. */
const STRAGGLERS_MS = 10_000;
/** The server ends the connection of a host that is gone after 5 + 3 × 3 s: later than this process gives it up. */
const KEEPALIVE =
  "set tcp_keepalives_idle = 5; set tcp_keepalives_interval = 3; set tcp_keepalives_count = 3";

const POOLED =
  "the database is reached through a connection pooler: the work of a dead process waits for its leases to end";

const GONE = "a process is gone: its work was taken back";
const LEFT_OVER = "the connection to the database was lost: the work from before was taken back";

/** Create a {@link RegisteredProcess}. It connects when it is first asked for its id. */
export function createRegisteredProcess(options: RegisteredProcessOptions): RegisteredProcess {
  const { logger } = options;
  const closing = new AbortController();
  const leases = createLeaseLoss(logger);
  let processId: string | undefined;
  let isConnected = false;
  /** Leases cannot be tied to a connection here. */
  let isPooled = false;
  let tried = Promise.withResolvers<void>();
  let running: Promise<void> | undefined;

  /** A try to connect is over: whoever waits for an id goes on with it, or without one. */
  function endTry(): void {
    tried.resolve();
    tried = Promise.withResolvers();
  }

  async function stayConnected(client: Client): Promise<void> {
    const over = new AbortController();
    for (const event of ["error", "end"] as const) client.on(event, () => over.abort());
    isPooled = await isBehindPooler(client);
    if (isPooled) return;
    const id = await register(client, processId, { leases, stop: closing.signal });
    const isNew = processId !== undefined && processId !== id;
    processId = id;
    isConnected = true;
    endTry();
    const stop = AbortSignal.any([closing.signal, over.signal]);
    await lookAfterOthers(options, client, { processId: id, hasLeftovers: isNew }, stop);
  }

  async function run(): Promise<void> {
    while (!closing.signal.aborted && !isPooled) {
      const client = createClient(options);
      const before = tried;
      await stayConnected(client).catch((err: unknown) => {
        logger.debug({ err }, "no connection that shows other processes that this one lives");
      });
      if (isConnected && !closing.signal.aborted) leases.threaten();
      isConnected = false;
      if (before === tried) endTry();
      // Not waited for: whoever is no longer there does not answer.
      client.end().catch(() => undefined);
      if (!isPooled) await rest(RETRY_MS, closing.signal);
    }
    // Whoever began to wait after the last try.
    endTry();
    if (isPooled) logger.warn({}, POOLED);
  }

  return {
    async id() {
      if (closing.signal.aborted) return null;
      running ??= run();
      if (!isConnected && !isPooled) await tried.promise;
      return isConnected ? (processId ?? null) : null;
    },
    onLeasesLost: (listener) => leases.onLost(listener),
    async close() {
      closing.abort();
      await running;
      leases.keep();
    },
  };
}

/**
 * Its id: the former one, unless somebody declared that dead while there was no connection, or its work was let go. Then
 * what is still leased under the former id, such as claims whose answer was lost, must not wait for its leases to end.
 */
async function register(
  client: Client,
  former: string | undefined,
  { leases, stop }: { readonly leases: LeaseLoss; readonly stop: AbortSignal },
): Promise<string> {
  await client.query(KEEPALIVE);
  if (former !== undefined) {
    const isBack = !leases.areLost() && (await takeBackPlace(client, former, { leases, stop }));
    leases.keep();
    if (isBack && !leases.areLost()) return former;
    if (!leases.areLost()) leases.lose();
    await forgetProcess(client, former);
  }
  const processId = randomUUID();
  await lockProcess(client, processId);
  await registerProcess(client, processId);
  leases.begin();
  return processId;
}

type LeaseLoss = ReturnType<typeof createLeaseLoss>;

/** Tells those who work under leases that these are lost: at once, or when nothing has kept them in time. */
function createLeaseLoss(logger: Logger) {
  const listeners = new Set<() => void>();
  let timer: NodeJS.Timeout | undefined;
  let isLost = false;

  function lose(): void {
    isLost = true;
    logger.warn({}, "the connection to the database was lost: work under way is let go");
    for (const listener of listeners) listener();
  }

  return {
    lose,
    areLost: () => isLost,
    /** What is leased from now on is leased under another id. */
    begin: () => void (isLost = false),
    threaten: () => void (timer = setTimeout(lose, LET_GO_AFTER_MS)),
    keep: () => clearTimeout(timer),
    onLost(listener: () => void): () => void {
      // Wrapped, so that the same function can listen twice and stop once.
      const own = () => listener();
      listeners.add(own);
      return () => void listeners.delete(own);
    },
  };
}

/** Lock a process that was registered before its connection was lost; whether it still is. */
async function takeBackPlace(
  client: Client,
  processId: string,
  { leases, stop }: { readonly leases: LeaseLoss; readonly stop: AbortSignal },
): Promise<boolean> {
  // As long as the server takes the former connection for alive, so do the others.
  while (!(await lockProcess(client, processId))) {
    stop.throwIfAborted();
    if (leases.areLost()) return false;
    await rest(LOCK_RETRY_MS, stop);
  }
  return isStillRegistered(client, processId);
}

/** Until `stop` fires, or the connection fails without a word. */
async function lookAfterOthers(
  { now, logger }: RegisteredProcessOptions,
  client: Client,
  { processId, hasLeftovers }: { readonly processId: string; readonly hasLeftovers: boolean },
  stop: AbortSignal,
): Promise<void> {
  const sinceMs = performance.now();
  let deathMs = Number.NEGATIVE_INFINITY;
  const isSince = (moment: number): boolean => performance.now() - moment < STRAGGLERS_MS;
  while (!stop.aborted) {
    const isMissing = await isAnyMissing(client, processId);
    if (isMissing || isSince(deathMs) || (hasLeftovers && isSince(sinceMs))) {
      const mayDeclareDead = performance.now() - sinceMs >= SETTLED_AFTER_MS;
      const taken = await takeBack(client, { processId, nowMs: now(), mayDeclareDead });
      if (taken.processes > 0) deathMs = performance.now();
      if (taken.orders + taken.deliveries + taken.calls > 0)
        logger.warn({ ...taken }, isSince(deathMs) ? GONE : LEFT_OVER);
    }
    await rest(isMissing ? LOOK_CLOSELY_MS : LOOK_EVERY_MS, stop);
  }
}

function createClient({ driver, url }: RegisteredProcessOptions): Client {
  return new driver.Client({
    ...toConnectionConfig(driver, url),
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    query_timeout: ANSWER_TIMEOUT_MS,
  });
}

/** Connect. A pooler gives the server's process a number of its own, and may lend the server's connection to others. */
async function isBehindPooler(client: Client): Promise<boolean> {
  await client.connect();
  const { rows } = await client.query<{ pid: number }>("select pg_backend_pid() as pid");
  return "processID" in client && client.processID !== rows[0]?.pid;
}

async function rest(ms: number, stop: AbortSignal): Promise<void> {
  try {
    await pause(ms, undefined, { signal: stop });
  } catch {
    // Asked to stop: there is no more time to rest.
  }
}
