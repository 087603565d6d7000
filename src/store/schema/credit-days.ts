import type { Types } from "./column-types.ts";

/** Days are UTC, as a budget's periods. */
export const DAY_MS = 86_400_000;

/** Every call counts unless it is known not to have been billed. An open call counts until it has ended. */
export const IS_SPENT = "(state <> 'failed' or metered <> 'no') is true";

const COLUMNS = "insert into credit_days (tenant, day_at, spent)";
const ADDED = "on conflict (tenant, day_at) do update set spent = credit_days.spent + excluded.spent";
const DAY_AT = `started_at - started_at % ${DAY_MS}`;

/**
 * A count of each tenant's credits by day, so that a call doesn't have to count the ledger. The database keeps it whenever the
 * ledger is written, so it is right whoever writes, also a late end of a lost call, or erasure.
 */
export function createCreditDays(types: Types): readonly string[] {
  return [
    `create table credit_days (
      tenant ${types.text} not null, day_at bigint not null, spent bigint not null,
      constraint credit_days_key primary key (tenant, day_at))`,
    "create index credit_days_age on credit_days (day_at)",
    ...(types.isPostgres ? postgresTriggers() : sqliteTriggers()),
  ];
}

/** A trigger per row. */
function sqliteTriggers(): readonly string[] {
  const isSpent = (row: "old" | "new"): string =>
    IS_SPENT.replace("state", `${row}.state`).replace("metered", `${row}.metered`);
  const count = (row: "old" | "new", credits: number): string =>
    `${COLUMNS} values (${row}.tenant, ${row}.started_at - ${row}.started_at % ${DAY_MS}, ${credits}) ${ADDED};`;
  const wasSpent = `${isSpent("old")} and not (${isSpent("new")})`;
  const becameSpent = `${isSpent("new")} and not (${isSpent("old")})`;
  return [
    `create trigger attempts_begun after insert on attempts when ${isSpent("new")}
      begin ${count("new", 1)} end`,
    `create trigger attempts_returned after update of state, metered on attempts when ${wasSpent}
      begin ${count("old", -1)} end`,
    `create trigger attempts_charged after update of state, metered on attempts when ${becameSpent}
      begin ${count("new", 1)} end`,
    `create trigger attempts_deleted after delete on attempts when ${isSpent("old")}
      begin ${count("old", -1)} end`,
  ];
}

/**
 * A trigger per statement: changing one row thousands of times in a transaction, as when a tenant is erased, takes a time that
 * grows with the square of their number.
 */
function postgresTriggers(): readonly string[] {
  const credits = (rows: string, each: number): string =>
    `select tenant, ${DAY_AT} as day_at, ${each} as credits from ${rows} where ${IS_SPENT}`;
  const [before, after] = [credits("before_it", -1), credits("after_it", 1)];
  const triggers = [
    ["insert", "new table as after_it", after],
    ["update", "old table as before_it new table as after_it", `${before} union all ${after}`],
    ["delete", "old table as before_it", before],
  ] as const;
  return triggers.flatMap(([event, tables, changes]) => [
    `create function attempts_${event}_counted() returns trigger language plpgsql as $$ begin
      ${COLUMNS} select tenant, day_at, sum(credits) from (${changes}) as changes
        group by tenant, day_at having sum(credits) <> 0 order by tenant, day_at ${ADDED};
      return null;
    end $$`,
    `create trigger attempts_${event}_counted after ${event} on attempts referencing ${tables}
      for each statement execute function attempts_${event}_counted()`,
  ]);
}
