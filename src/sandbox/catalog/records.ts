import { DatabaseSync } from "node:sqlite";

/** A record of the sandbox. Its other fields depend on its kind. */
export interface SandboxRecord {
  readonly id: string;
  readonly [field: string]: unknown;
}

export type RecordKind =
  | "product"
  | "brand"
  | "category"
  | "job"
  | "item"
  | "import-item"
  | "file"
  | "webhook"
  | "credits"
  | `management-${"webhook" | "delivery"}`
  | `${"brand" | "category" | "enrichment" | "validation"}-history`;

interface RecordFilter {
  /** The record they belong to, e.g. the job of an item. */
  readonly parent?: string | undefined;
  readonly state?: string | undefined;
  readonly limit?: number | undefined;
}

export type RecordList = ReturnType<typeof createList>;
export type OrganizationRecords = (kind: RecordKind) => RecordList;
/** The sandbox's records, in memory or in a file. */
export type Records = ReturnType<typeof openRecords>;

const SCHEMA = `
create table if not exists records (
  seq integer primary key autoincrement,
  organization text not null, kind text not null, id text not null,
  parent text, state text, document text not null,
  unique (organization, kind, id)
);
create index if not exists records_by_parent on records (organization, kind, parent, state, seq);
create index if not exists records_by_state on records (kind, state);
`;

const MEMORY = ":memory:";
const UPSERT = `
insert into records (organization, kind, id, parent, state, document) values (?, ?, ?, ?, ?, ?)
on conflict (organization, kind, id) do update
set parent = coalesce(excluded.parent, parent), state = excluded.state, document = excluded.document`;
type Row = Readonly<Record<string, unknown>>;

function toRecord(row: Row): SandboxRecord {
  return JSON.parse(String(row["document"])) as SandboxRecord;
}

/** The database, opened when it is first used. */
function createConnection(path: string) {
  let database: DatabaseSync | undefined;
  const statements = new Map<string, ReturnType<DatabaseSync["prepare"]>>();
  const open = (): DatabaseSync => {
    if (database !== undefined) return database;
    database = new DatabaseSync(path);
    database.exec(`pragma journal_mode = wal; pragma synchronous = normal; ${SCHEMA}`);
    return database;
  };
  return {
    execute: (sql: string) => open().exec(sql),
    prepare(sql: string) {
      const statement = statements.get(sql) ?? open().prepare(sql);
      statements.set(sql, statement);
      return statement;
    },
    close() {
      // A database in memory would be lost.
      if (path === MEMORY) return;
      statements.clear();
      database?.close();
      database = undefined;
    },
  };
}

function createList(database: ReturnType<typeof createConnection>, organization: string, kind: RecordKind) {
  const toWhere = ({ parent, state }: RecordFilter) => {
    const given = Object.entries({ organization, kind, parent, state }).flatMap(([column, value]) =>
      value === undefined ? [] : [[column, value] as const],
    );
    return {
      text: given.map(([column]) => `${column} = ?`).join(" and "),
      values: given.map(([, value]) => value),
    };
  };
  const ONE = "from records where organization = ? and kind = ? and id = ?";
  return {
    get(id: string) {
      const row = database.prepare(`select document ${ONE}`).get(organization, kind, id);
      return row === undefined ? undefined : toRecord(row);
    },
    /** Insert or replace. `parent` and `state` are what lists can be filtered by. */
    put(record: SandboxRecord, { parent, state }: Pick<RecordFilter, "parent" | "state"> = {}) {
      const values = [organization, kind, record.id, parent ?? null, state ?? null, JSON.stringify(record)];
      database.prepare(UPSERT).run(...values);
    },
    remove: (id: string) => void database.prepare(`delete ${ONE}`).run(organization, kind, id),
    /** In insertion order. */
    list(filter: RecordFilter = {}) {
      const { text, values } = toWhere(filter);
      const sql = `select document from records where ${text} order by seq limit ?`;
      const rows = database.prepare(sql).all(...values, filter.limit ?? -1);
      return rows.map((row) => toRecord(row));
    },
    count(filter: RecordFilter = {}) {
      const { text, values } = toWhere(filter);
      const row = database.prepare(`select count(*) as n from records where ${text}`).get(...values);
      return Number(row?.["n"]);
    },
  };
}

/** Open the records at `path`, which is created if it doesn't exist. Without a path, they're kept in memory. */
export function openRecords(path = MEMORY) {
  const database = createConnection(path);
  let depth = 0;

  return {
    of: (organization: string, kind: RecordKind) => createList(database, organization, kind),
    /** Every record of a kind, of all organizations, in this state. */
    everywhere(kind: RecordKind, state: string) {
      const sql = "select organization, document from records where kind = ? and state = ? order by seq";
      const rows = database.prepare(sql).all(kind, state);
      return rows.map((row) => ({ organization: String(row["organization"]), record: toRecord(row) }));
    },
    /** Commit all of the work, or none of it. */
    transaction<T>(work: () => T): T {
      if (depth > 0) return work();
      depth += 1;
      database.execute("begin immediate");
      try {
        const result = work();
        database.execute("commit");
        return result;
      } catch (error) {
        database.execute("rollback");
        throw error;
      } finally {
        depth -= 1;
      }
    },
    /** Close the file; the next use opens it again. */
    close: () => database.close(),
  };
}

/** A record's fields, by name; missing ones are null. */
export function pick(record: SandboxRecord, ...names: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(names.map((name) => [name, record[name] ?? null]));
}

/** A text, or a number as text; empty for anything else. */
export function toText(value: unknown): string {
  return typeof value === "string" ? value : typeof value === "number" ? String(value) : "";
}

/** A time in the interface's format. */
export function toTime(nowMs: number): string {
  return new Date(nowMs).toISOString();
}

/** Whether one of the fields contains a text, whatever its case. */
export function hasText(fields: Readonly<Record<string, unknown>>, names: readonly string[], text: string) {
  return names.some((name) => toText(fields[name]).toLowerCase().includes(text.toLowerCase()));
}

/** Records by a text. Equal ones keep their order, and `desc` reverses the whole list. */
export function sortRecords(
  records: readonly SandboxRecord[],
  key: (record: SandboxRecord) => string,
  order: "asc" | "desc",
): readonly SandboxRecord[] {
  const rising = records.toSorted((a, b) => (key(a) < key(b) ? -1 : key(a) > key(b) ? 1 : 0));
  return order === "desc" ? rising.toReversed() : rising;
}

/** A name's slug, derived as the interface says: lower case, and a hyphen for each run of anything but letters and digits. */
export function toSlug(name: string): string {
  return name.toLowerCase().replaceAll(/[^a-z0-9]+/g, "-");
}
