import type { Client, QueryResult } from "pg";
import { DATABASE_NOW_MS } from "./postgres-clock.ts";
import { WORK_CHANNEL } from "./postgres-work-channel.ts";

/**
 * So long a process may be without its lock before it counts as dead, in milliseconds: a living one whose connection was
 * cut connects again within this.
 */
const MISSING_GRACE_MS = 2_000;

/** Name of the lock under which processes judge others one after the other. */
const JUDGING = "hashtextextended('holdfast:processes', 0)";
/** Key of the lock that a living process holds, from its id. */
const LOCK_OF_PROCESS = "hashtextextended('holdfast:process:' || process_id, 0)";
/** Shared, so that those who look at the same time don't see each other; it cannot be had while the process has its own. */
const IS_FREE = `pg_try_advisory_xact_lock_shared(${LOCK_OF_PROCESS})`;
/** The process under which a lease was taken is no longer registered. */
const HAS_NO_PROCESS = `held.process_id is not null
  and not exists (select 1 from processes where processes.process_id = held.process_id)`;

/** What was taken back from dead processes. */
export interface TakenBack {
  readonly processes: number;
  readonly orders: number;
  readonly deliveries: number;
  /** Paid calls whose end is not known. */
  readonly calls: number;
}

/** Take the lock of a process on this connection, for as long as it lives; `false` while another one has it. */
export async function lockProcess(client: Client, processId: string): Promise<boolean> {
  const { rows } = await client.query<{ locked: boolean }>(
    `select pg_try_advisory_lock(${LOCK_OF_PROCESS}) as locked from (select $1::text as process_id) as own`,
    [processId],
  );
  return rows[0]?.locked === true;
}

/** Whether a process that has its lock again is still registered: nobody has declared it dead. */
export async function isStillRegistered(client: Client, processId: string): Promise<boolean> {
  const { rowCount } = await client.query("update processes set missing_since = null where process_id = $1", [
    processId,
  ]);
  return rowCount === 1;
}

/** Give a registration up: what is leased under it is free to be taken back. */
export async function forgetProcess(client: Client, processId: string): Promise<void> {
  await client.query("delete from processes where process_id = $1", [processId]);
}

/** Register a process that has its lock. */
export async function registerProcess(client: Client, processId: string): Promise<void> {
  await client.query(`insert into processes (process_id, registered_at) values ($1, ${DATABASE_NOW_MS})`, [
    processId,
  ]);
}

/** Whether another process has no lock, or had none when it was last looked for: then it has to be judged. */
export async function isAnyMissing(client: Client, processId: string): Promise<boolean> {
  const { rows } = await client.query<{ missing: boolean }>(
    `select ${IS_FREE} or missing_since is not null as missing from processes where process_id <> $1`,
    [processId],
  );
  return rows.some(({ missing }) => missing);
}

/**
 * Note which other processes are missing. With `mayDeclareDead`, remove those that have been missing for too long, and
 * take back what processes hold that are not registered: orders and deliveries are due at `nowMs` at the latest, calls
 * become unknown. One transaction in one message, so that nobody waits for a process that is frozen in the middle.
 */
export async function takeBack(
  client: Client,
  options: { readonly processId: string; readonly nowMs: number; readonly mayDeclareDead: boolean },
): Promise<TakenBack> {
  const own = client.escapeLiteral(options.processId);
  const dead = options.mayDeclareDead ? `missing_since <= ${DATABASE_NOW_MS} - ${MISSING_GRACE_MS}` : "false";
  // Without parameters the driver sends all of it at once, and gets a result for each statement.
  const results: unknown = await client.query(`
    begin isolation level read committed;
    select pg_advisory_xact_lock(${JUDGING});
    update processes set missing_since = case when seen.free then ${DATABASE_NOW_MS} end
      from (select process_id, ${IS_FREE} as free from processes where process_id <> ${own}) as seen
      where processes.process_id = seen.process_id and seen.free = (processes.missing_since is null);
    delete from processes where ${dead} and process_id <> ${own} and ${IS_FREE};
    ${free("orders", "order_id", options.nowMs)};
    ${free("deliveries", "delivery_id", options.nowMs)};
    update attempts set state = 'unknown' where attempt_id in (
      select attempt_id from attempts as held where state = 'sent' and ${HAS_NO_PROCESS} for update skip locked);
    delete from leases where name in (
      select name from leases as held where ${HAS_NO_PROCESS} for update skip locked);
    commit`);
  const counts = (results as readonly QueryResult[]).map(({ rowCount }) => rowCount ?? 0);
  const [, , , processes = 0, orders = 0, deliveries = 0, calls = 0] = counts;
  if (orders + deliveries > 0) await client.query("select pg_notify($1, '')", [WORK_CHANNEL]);
  return { processes, orders, deliveries, calls };
}

/** Rows that somebody is writing are left for the next time. */
function free(table: "orders" | "deliveries", id: string, nowMs: number): string {
  return `update ${table}
    set lease_owner = null, lease_until = null, process_id = null, due_at = least(due_at, ${Math.floor(nowMs)})
    where (tenant, ${id}) in (
      select tenant, ${id} from ${table} as held
      where ready_at is not null and lease_owner is not null and ${HAS_NO_PROCESS}
      for no key update skip locked)`;
}
