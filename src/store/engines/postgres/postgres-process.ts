import { randomUUID } from "node:crypto";
import type { Client, QueryResult } from "pg";
import type { Logger } from "../../../base/logger.ts";
import {
  createCalmClient,
  toConnectionConfig,
  type PostgresParts,
  DATABASE_NOW_MS,
} from "./postgres-pool.ts";
import { rest, WORK_CHANNEL } from "./postgres-channel.ts";

interface RegisteredProcessOptions extends PostgresParts {
  /** Milliseconds since the epoch, by the clock used for claims. */
  readonly now: () => number;
}

/** The time between two checks of the other processes. The response also shows that the connection works. */
const LOOK_EVERY_MS = 500;
/** The same, while one of them is missing. */
const LOOK_CLOSELY_MS = 100;
/** Without a response after this time, the connection counts as lost. */
const ANSWER_TIMEOUT_MS = 8_000;
const CONNECT_TIMEOUT_MS = 2_000;
const RETRY_MS = 250;
const LOCK_RETRY_MS = 100;
/** Leases count as lost this long after the connection was lost. Less than the grace time after which others take over. */
const LET_GO_AFTER_MS = 1_500;
/**
 * After a restart of the database, every process is missing for a moment. Only a process that has been connected for this
 * long declares others dead.
 */
const SETTLED_AFTER_MS = 5_000;
/** After an outage, other processes have this long to save their answers, before this one may repeat their calls. */
const SAVING_FIRST_MS = 2_000;
/** After an outage, this process's calls last at least this long. By then, their answers are saved. */
const SAVED_WITHIN_MS = 10_000;
/** For this long after a process's death, look for leases that its last statements still took. */
const STRAGGLERS_MS = 10_000;
/** The server ends the connection of a host that is gone after 5 + 3 × 3 s, later than this process gives up. */
const KEEPALIVE =
  "set tcp_keepalives_idle = 5; set tcp_keepalives_interval = 3; set tcp_keepalives_count = 3";

const POOLED =
  "the database is reached through a connection pooler, so a dead process's work waits until its leases end";

const GONE = "a process is gone, so its work was taken back";
const LEFT_OVER = "the connection to the database was lost, so the work from before was taken back";

/**
 * This process's registration among those that share the database. It holds a lock on its own connection, which the server
 * releases when the connection ends for any reason, and it checks the locks of the others. It connects when its ID is first
 * needed.
 */
export function createRegisteredProcess(options: RegisteredProcessOptions) {
  const closing = new AbortController();
  const leases = createLeaseLoss(options.logger);
  let processId: string | undefined;
  let isConnected = false;
  /** Leases can't be tied to a connection here. */
  let isPooled = false;
  let tried = Promise.withResolvers<void>();
  let othersSaved = Promise.resolve();
  let running: Promise<void> | undefined;

  /** A try to connect has ended: callers that wait for an ID continue, with or without one. */
  function endTry(): void {
    tried.resolve();
    tried = Promise.withResolvers();
  }

  async function stayConnected(client: Client): Promise<void> {
    const over = toEnd(client);
    isPooled = await isBehindPooler(client);
    if (isPooled) return;
    const id = await register(client, processId, { leases, stop: closing.signal });
    const isNew = processId !== undefined && processId !== id;
    if (isNew) othersSaved = rest(SAVING_FIRST_MS, closing.signal);
    processId = id;
    leases.begin();
    isConnected = true;
    endTry();
    const stop = AbortSignal.any([closing.signal, over]);
    await lookAfterOthers(options, client, { processId: id, hasLeftovers: isNew }, stop);
  }

  async function run(): Promise<void> {
    while (!closing.signal.aborted && !isPooled) {
      const client = createClient(options);
      const before = tried;
      await stayConnected(client).catch((err: unknown) => {
        options.logger.debug({ err }, "no connection that shows other processes that this one lives");
      });
      if (isConnected && !closing.signal.aborted) leases.threaten();
      isConnected = false;
      if (before === tried) endTry();
      // Don't wait, because a lost server doesn't respond.
      client.end().catch(() => undefined);
      if (!isPooled) await rest(RETRY_MS, closing.signal);
    }
    // Callers that began to wait after the last try.
    endTry();
    if (isPooled) options.logger.warn({}, POOLED);
  }

  return {
    /** The ID under which leases are taken; null while there is none, so that leases end only by time. */
    async id() {
      if (closing.signal.aborted) return null;
      running ??= run();
      if (!isConnected && !isPooled) await tried.promise;
      await othersSaved;
      return isConnected ? (processId ?? null) : null;
    },
    /** Whether what was leased under an ID still belongs to this process. Null: until its time is up. */
    ownsLeasesOf: (id: string | null) => id === null || (id === processId && !leases.areLost()),
    /** Call `listener` when the connection was lost for so long that others may take over, until the returned function is called. */
    onLeasesLost: (listener: () => void) => leases.onLost(listener),
    /** Close the connection. The other processes take over what is still leased. */
    async close() {
      closing.abort();
      await running;
      leases.keep();
    },
  };
}

/**
 * Its ID: the former one, unless another process declared that dead or this process dropped its work. Then work still leased
 * under the former ID, such as claims whose response was lost, is released at once instead of waiting for its leases to end.
 * Its paid calls go on: they were answered meanwhile, or will be.
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
  }
  const processId = randomUUID();
  await lockProcess(client, processId);
  const [own, before] = [processId, former ?? ""].map((id) => client.escapeLiteral(id));
  // One transaction in one message, so that no other process sees the calls without a process.
  await client.query(`
    begin isolation level read committed;
    insert into processes (process_id, registered_at) values (${own}, ${DATABASE_NOW_MS});
    update attempts set process_id = ${own}, lease_until = greatest(lease_until, ${DATABASE_NOW_MS} + ${SAVED_WITHIN_MS})
      where attempt_id in (
        select attempt_id from attempts where process_id = ${before} and state = 'sent' for update skip locked);
    delete from processes where process_id = ${before};
    commit`);
  return processId;
}

type LeaseLoss = ReturnType<typeof createLeaseLoss>;

/** Notifies listeners that leases are lost: at once, or when they weren't renewed in time. */
function createLeaseLoss(logger: Logger) {
  const listeners = new Set<() => void>();
  let timer: NodeJS.Timeout | undefined;
  let isLost = false;

  function lose(): void {
    isLost = true;
    logger.warn({}, "the connection to the database was lost, so the work under way was dropped");
    for (const listener of listeners) listener();
  }

  return {
    lose,
    areLost: () => isLost,
    /** Later leases are taken under a new ID. */
    begin: () => void (isLost = false),
    threaten: () => void (timer = setTimeout(lose, LET_GO_AFTER_MS)),
    keep: () => clearTimeout(timer),
    onLost(listener: () => void): () => void {
      // Wrapped, so that the same function can be added twice and removed once.
      const own = () => listener();
      listeners.add(own);
      return () => void listeners.delete(own);
    },
  };
}

/** Lock a process that was registered before its connection was lost. Resolves to whether it still is registered. */
async function takeBackPlace(
  client: Client,
  processId: string,
  { leases, stop }: { readonly leases: LeaseLoss; readonly stop: AbortSignal },
): Promise<boolean> {
  // While the server considers the former connection alive, the other processes do too.
  while (!(await lockProcess(client, processId))) {
    stop.throwIfAborted();
    if (leases.areLost()) return false;
    await rest(LOCK_RETRY_MS, stop);
  }
  // Nobody has declared it dead, if it still has its row.
  const update = "update processes set missing_since = null where process_id = $1";
  return (await client.query(update, [processId])).rowCount === 1;
}

/** Until `stop` fires or the connection fails silently. */
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
  return new (createCalmClient(driver.Client))({
    ...toConnectionConfig(driver, url),
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    query_timeout: ANSWER_TIMEOUT_MS,
  });
}

/** Fires when the connection fails or ends. */
function toEnd(client: Client): AbortSignal {
  const over = new AbortController();
  for (const event of ["error", "end"] as const) client.on(event, () => over.abort());
  return over.signal;
}

/** Also connects. A pooler reports another process number, and may share the server's connection. */
async function isBehindPooler(client: Client): Promise<boolean> {
  await client.connect();
  const { rows } = await client.query<{ pid: number }>("select pg_backend_pid() as pid");
  return "processID" in client && client.processID !== rows[0]?.pid;
}

/**
 * How long a process may be without its lock before it counts as dead, in milliseconds. A living one whose connection was cut
 * reconnects within this time.
 */
const MISSING_GRACE_MS = 2_000;

/** The lock under which processes check others one at a time. */
const JUDGING = "hashtextextended('holdfast:processes', 0)";
/** The key of the lock that a living process holds, from its ID. */
const LOCK_OF_PROCESS = "hashtextextended('holdfast:process:' || process_id, 0)";
/** A shared lock: processes that check at once don't see each other. It fails while the process holds its own. */
const IS_FREE = `pg_try_advisory_xact_lock_shared(${LOCK_OF_PROCESS})`;
/** A condition: the process that took the lease is no longer registered. */
const HAS_NO_PROCESS = `leased.process_id is not null
  and not exists (select 1 from processes where processes.process_id = leased.process_id)`;

interface TakenBack {
  readonly processes: number;
  readonly orders: number;
  readonly deliveries: number;
  /** Paid calls that may or may not have ended. */
  readonly calls: number;
}

/** Take the lock of a process for as long as this connection lasts; `false` while another connection holds it. */
async function lockProcess(client: Client, processId: string): Promise<boolean> {
  const { rows } = await client.query<{ locked: boolean }>(
    `select pg_try_advisory_lock(${LOCK_OF_PROCESS}) as locked from (select $1::text as process_id) as own`,
    [processId],
  );
  return rows[0]?.locked === true;
}

/** Whether another process has no lock or had none at the last check, so that it has to be judged. */
async function isAnyMissing(client: Client, processId: string): Promise<boolean> {
  const { rows } = await client.query<{ missing: boolean }>(
    `select ${IS_FREE} or missing_since is not null as missing from processes where process_id <> $1`,
    [processId],
  );
  return rows.some(({ missing }) => missing);
}

/**
 * Record which other processes are missing. With `mayDeclareDead`, remove those that have been missing for too long, and take
 * back what unregistered processes hold: orders and deliveries become due by `nowMs`, calls become unknown. One transaction
 * in one message, so that nobody waits for a process that freezes in the middle.
 */
async function takeBack(
  client: Client,
  options: { readonly processId: string; readonly nowMs: number; readonly mayDeclareDead: boolean },
): Promise<TakenBack> {
  const own = client.escapeLiteral(options.processId);
  const dead = options.mayDeclareDead ? `missing_since <= ${DATABASE_NOW_MS} - ${MISSING_GRACE_MS}` : "false";
  // Without parameters, the driver sends all statements at once and gets a result for each.
  const results: unknown = await client.query(`
    begin isolation level read committed;
    select pg_advisory_xact_lock(${JUDGING});
    update processes set missing_since = case when seen.free then ${DATABASE_NOW_MS} end
      from (select process_id, ${IS_FREE} as free from processes where process_id <> ${own}) as seen
      where processes.process_id = seen.process_id and seen.free = (processes.missing_since is null);
    delete from processes where ${dead} and process_id <> ${own} and ${IS_FREE};
    ${freeRows("orders", "order_id", options.nowMs)};
    ${freeRows("deliveries", "delivery_id", options.nowMs)};
    update attempts set state = 'unknown' where attempt_id in (
      select attempt_id from attempts as leased where state = 'sent' and ${HAS_NO_PROCESS} for update skip locked);
    delete from leases where name in (
      select name from leases as leased where ${HAS_NO_PROCESS} for update skip locked);
    commit`);
  const counts = (results as readonly QueryResult[]).map(({ rowCount }) => rowCount ?? 0);
  const [, , , processes = 0, orders = 0, deliveries = 0, calls = 0] = counts;
  if (orders + deliveries > 0) await client.query("select pg_notify($1, '')", [WORK_CHANNEL]);
  return { processes, orders, deliveries, calls };
}

/** Skip rows that are being written until the next check. */
function freeRows(table: "orders" | "deliveries", id: string, nowMs: number): string {
  return `update ${table}
    set lease_owner = null, lease_until = null, process_id = null, due_at = least(due_at, ${Math.floor(nowMs)})
    where (tenant, ${id}) in (
      select tenant, ${id} from ${table} as leased
      where ready_at is not null and lease_owner is not null and ${HAS_NO_PROCESS}
      for no key update skip locked)`;
}
