import { sql, type SqlBool } from "kysely";
import type { TenantId } from "../../platform/platform.ts";
import type { StoreContext } from "../context.ts";
import type { Database } from "../schema/schema.ts";
import type { Place } from "../sealing/sealing.ts";
import { deleteRows, findRow, insertRow, selectRows, updateRows, upsert } from "../statements.ts";
import { CONSOLE_ACTOR, type PersonKey } from "./person.ts";

/** Why a channel's last message couldn't be sent, and when. */
export interface ChannelProblem {
  /** A code, such as `status:410`. */
  readonly problem: string;
  readonly atMs: number;
}

/** What a person wants to know of. The reader validates the document. */
export interface KeptNoticeSettings {
  /** Null if it can't be opened because it was sealed with another data key. */
  readonly content: unknown;
  /** By channel. */
  readonly problems: Readonly<Record<string, ChannelProblem>>;
}

/** A notice for a person's open pages. */
export interface PageNotice {
  /** Larger than those of earlier notices. */
  readonly noticeId: number;
  readonly content: unknown;
}

/** How many notices a page gets at once, oldest first. */
const MOST_PAGE_NOTICES = 50;

/** What people want to know of, and the notices for their pages. */
export interface NoticeStore {
  /** Null if the person never saved any. */
  load(key: PersonKey): Promise<KeptNoticeSettings | null>;
  /** Replace a person's settings, sealed. `channels`: what is known to have failed there no longer counts. */
  save(key: PersonKey, content: unknown, nowMs: number, channels?: readonly string[]): Promise<void>;
  /** Settings of everybody, or of one `actor`, who still has access to the tenant's console, by `person:ID`; also of the operator. */
  list(tenant: TenantId, actor?: string): Promise<ReadonlyMap<string, KeptNoticeSettings>>;
  /** Tenants with anybody's settings. */
  listTenants(): Promise<readonly TenantId[]>;
  /** Record how a channel's last message ended. Null: it was sent. */
  noteProblem(key: PersonKey, channel: string, problem: ChannelProblem | null): Promise<void>;
  /** Add a notice for the person's pages. It may say nothing personal. */
  addForPages(key: PersonKey, content: unknown, nowMs: number): Promise<void>;
  /** Notices for the person's pages after the one with this ID, oldest first. */
  listForPages(key: PersonKey, afterId: number): Promise<readonly PageNotice[]>;
  /** The ID of the person's newest notice; 0 if there is none. */
  findNewest(key: PersonKey): Promise<number>;
}

export function createNoticeStore(context: StoreContext): NoticeStore {
  return { ...createNoticeSettings(context), ...createPageNotices(context) };
}

type Settings = Pick<NoticeStore, "load" | "save" | "list" | "listTenants" | "noteProblem">;

function createNoticeSettings({ engine, sealer }: StoreContext): Settings {
  const open = (key: PersonKey, row: { content: Uint8Array; problems: string }): KeptNoticeSettings => ({
    content: sealer.tryJson(toPlace(key), row.content) ?? null,
    problems: JSON.parse(row.problems) as KeptNoticeSettings["problems"],
  });
  return {
    async load(key) {
      const row = await engine.read((db) =>
        findRow(db, "notice_settings", ofPerson(key), ["content", "problems"]),
      );
      return row === undefined ? null : open(key, row);
    },

    save: (key, content, nowMs, channels = []) =>
      engine.write(async (db) => {
        const known = await findRow(db, "notice_settings", ofPerson(key), ["problems"]);
        const former = known === undefined ? {} : (JSON.parse(known.problems) as object);
        const left = Object.entries(former).filter(([channel]) => !channels.includes(channel));
        await upsert(db, "notice_settings", ofPerson(key), {
          content: sealer.sealJson(toPlace(key), content),
          saved_at: nowMs,
          problems: JSON.stringify(Object.fromEntries(left)),
        });
      }),

    async list(tenant, only) {
      const hasAccess = sql<SqlBool>`(actor = ${CONSOLE_ACTOR} or exists (
        select 1 from people where people.tenant = notice_settings.tenant and people.actor = notice_settings.actor
          and people.revoked_at is null))
        and not exists (select 1 from tenants
          where tenants.tenant = notice_settings.tenant and tenants.state = 'uninstalled')`;
      const columns = ["actor", "content", "problems"] as const;
      const rows = await engine.read((db) =>
        selectRows(
          db,
          "notice_settings",
          only === undefined ? { tenant } : { tenant, actor: only },
          columns,
          hasAccess,
        ),
      );
      return new Map(rows.map((row) => [row.actor, open({ tenant, actor: row.actor }, row)]));
    },

    async listTenants() {
      const query = sql<{ tenant: string }>`select distinct tenant from notice_settings order by tenant`;
      return (await engine.read((db) => query.execute(db))).rows.map(({ tenant }) => tenant);
    },

    noteProblem: (key, channel, problem) =>
      engine.write(async (db) => {
        const row = await findRow(db, "notice_settings", ofPerson(key), ["problems"]);
        if (row === undefined) return;
        const { [channel]: _former, ...others } = JSON.parse(row.problems) as KeptNoticeSettings["problems"];
        const problems = JSON.stringify(problem === null ? others : { ...others, [channel]: problem });
        await updateRows(db, "notice_settings", ofPerson(key), { problems });
      }),
  };
}

type Pages = Pick<NoticeStore, "addForPages" | "listForPages" | "findNewest">;

function createPageNotices({ engine }: StoreContext): Pages {
  return {
    addForPages: (key, content, nowMs) =>
      engine.write((db) =>
        insertRow(db, "page_notices", { ...ofPerson(key), at: nowMs, content: JSON.stringify(content) }),
      ),

    async listForPages(key, afterId) {
      const isNew = sql<SqlBool>`notice_id > ${afterId}`;
      const oldest = sql`order by notice_id limit ${MOST_PAGE_NOTICES}`;
      const rows = await engine.read((db) =>
        selectRows(db, "page_notices", ofPerson(key), ["notice_id", "content"], isNew, oldest),
      );
      return rows.map((row) => ({ noticeId: row.notice_id, content: JSON.parse(row.content) as unknown }));
    },

    async findNewest(key) {
      const newest = sql`order by notice_id desc limit 1`;
      const [row] = await engine.read((db) =>
        selectRows(db, "page_notices", ofPerson(key), ["notice_id"], undefined, newest),
      );
      return row?.notice_id ?? 0;
    },
  };
}

/** Nothing about notices is kept of a person who was removed. */
export async function forgetNotices(db: Database, key: PersonKey): Promise<void> {
  await deleteRows(db, "notice_settings", ofPerson(key));
  await deleteRows(db, "page_notices", ofPerson(key));
}

function ofPerson({ tenant, actor }: PersonKey) {
  return { tenant, actor };
}

function toPlace({ tenant, actor }: PersonKey): Place {
  return { tenant, table: "notice_settings", column: "content", row: actor };
}
