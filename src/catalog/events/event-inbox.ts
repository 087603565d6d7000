import { checkOptions } from "../../base/options.ts";
import type { ReceivedEvent } from "./parse-event.ts";

/** Where received events are stored before they are answered. */
export interface EventInbox {
  /** Store an event; false if an event with this key is already stored. Rejects when too many wait to be handled. */
  keep(key: string, event: ReceivedEvent): Promise<boolean>;
  /** An event was handled. Its key stays for the next thousands of events, so that a duplicate is recognized. */
  done(key: string): Promise<void>;
  /** An event wasn't confirmed. The same event may arrive again and be confirmed then. */
  forget(key: string): Promise<void>;
  /** Events that were stored and not handled. */
  pending(): Promise<readonly { readonly key: string; readonly event: ReceivedEvent }[]>;
}

/** Keys that an inbox remembers. */
const REMEMBERED = 10_000;
/** Most unhandled events in a file, because anybody can send events. */
const MAX_PENDING = 10_000;

/** An inbox in memory. A restart loses unhandled events, and `waitForJob` finds the changes by polling. */
export function createMemoryInbox(): EventInbox {
  const events = new Map<string, ReceivedEvent | null>();
  return {
    async keep(key, event) {
      if (events.has(key)) return false;
      events.set(key, event);
      const [oldest] = events.keys();
      if (events.size > REMEMBERED && oldest !== undefined) events.delete(oldest);
      return true;
    },
    async done(key) {
      if (events.has(key)) events.set(key, null);
    },
    async forget(key) {
      events.delete(key);
    },
    async pending() {
      return [...events].flatMap(([key, event]) => (event === null ? [] : [{ key, event }]));
    },
  };
}

/** An inbox in a SQLite file, which is created if it doesn't exist. Events that were answered with 200 survive a crash. */
export async function openFileInbox(path: string): Promise<EventInbox & { close(): void }> {
  const file = (text: unknown) => typeof text === "string" && text !== "";
  const rule = { is: file, expected: "a file's path", isRequired: true };
  checkOptions("openFileInbox", { path }, { path: rule });
  // Loaded on first use: those who only read the catalog need no database.
  const { DatabaseSync } = await import("node:sqlite");
  const database = new DatabaseSync(path);
  database.exec(
    "create table if not exists events (key text primary key, document text not null, done integer)",
  );
  const count = database.prepare("select count(*) as waiting from events where done is null").get();
  let waiting = Number(count?.["waiting"]);
  return {
    async keep(key, event) {
      if (waiting >= MAX_PENDING) throw new Error("the inbox is full");
      const insert = "insert into events (key, document) values (?, ?) on conflict do nothing";
      const isNew = database.prepare(insert).run(key, JSON.stringify(event)).changes > 0;
      if (isNew) waiting += 1;
      return isNew;
    },
    async done(key) {
      const update = "update events set done = 1 where key = ? and done is null";
      waiting -= Number(database.prepare(update).run(key).changes);
      database
        .prepare("delete from events where done = 1 and rowid <= (select max(rowid) from events) - ?")
        .run(REMEMBERED);
    },
    async forget(key) {
      const remove = "delete from events where key = ? and done is null";
      waiting -= Number(database.prepare(remove).run(key).changes);
    },
    async pending() {
      const rows = database
        .prepare("select key, document from events where done is null order by rowid")
        .all();
      return rows.map(({ key, document }) => ({
        key: String(key),
        event: JSON.parse(String(document)) as ReceivedEvent,
      }));
    },
    close: () => database.close(),
  };
}
