import { sql, type SqlBool } from "kysely";
import type { TenantId } from "../../platform/platform.ts";
import type { StoreContext } from "../context.ts";
import type { Database } from "../schema/schema.ts";
import type { Sealer } from "../sealing/sealing.ts";
import { deleteRows, findRow, insertRow, selectRows, updateRows } from "../statements.ts";

/** The lists of orders that views are of. */
export const VIEW_LISTS = ["orders", "queue"] as const;
export type ViewList = (typeof VIEW_LISTS)[number];

/** How many shared views a tenant may have, and how many of their own a person: few enough for one menu. */
export const MOST_VIEWS = 50;

/** What a person saves. */
export interface ViewContent {
  /** What people call it; it may name somebody. */
  readonly name: string;
  /** Filters and sort of a list, as its query names them. The caller validates them. */
  readonly query: Readonly<Record<string, string>>;
  /** Whether everybody in the tenant sees it. */
  readonly isShared: boolean;
}

export interface NewView extends ViewContent {
  readonly tenant: TenantId;
  readonly viewId: string;
  readonly list: ViewList;
}

export interface SavedView extends Omit<NewView, "tenant"> {
  /** Who saved it, `person:ID`; null once they were removed. */
  readonly actor: string | null;
  readonly savedAtMs: number;
}

export interface ViewKey {
  readonly tenant: TenantId;
  readonly viewId: string;
}

/** Who saves or removes a view. */
export interface ViewAct {
  readonly actor: string;
  /** Whether they may change shared views of others. */
  readonly isOwner: boolean;
  readonly atMs: number;
}

/** `unknown`: there is none that they see. `not-theirs`: they see it, but can't change it. */
type Refusal = "unknown" | "not-theirs";
export type ViewSaved = "saved" | "name-taken" | "too-many" | Refusal;

/** Named views of the lists of orders. */
export interface SavedViews {
  /** The views that a person sees: shared ones and their own. */
  list(tenant: TenantId, actor: string): Promise<readonly SavedView[]>;
  add(view: NewView, by: ViewAct): Promise<ViewSaved>;
  /** Replace a view's content. It stays with the person who saved it, and only they can stop sharing it. */
  change(key: ViewKey, content: ViewContent, by: ViewAct): Promise<ViewSaved>;
  remove(key: ViewKey, by: ViewAct): Promise<"removed" | Refusal>;
}

export function createSavedViews(context: StoreContext): SavedViews {
  const { engine, sealer } = context;
  // One change at a time per tenant, or two people could give the same name.
  const write = <T>(tenant: TenantId, unit: (db: Database) => Promise<T>) =>
    engine.write(unit, { alone: toViewsName(tenant) });
  return {
    list: (tenant, actor) => engine.read((db) => selectSeen(db, sealer, tenant, actor)),

    add: (view, by) =>
      write(view.tenant, async (db) => {
        const { tenant, viewId, list, isShared } = view;
        const objection = await findObjection(db, context, view, { ...view, actor: by.actor });
        if (objection !== null) return objection;
        await insertRow(db, "saved_views", {
          tenant,
          view_id: viewId,
          list,
          actor: by.actor,
          is_shared: Number(isShared),
          content: toContent(sealer, view, view),
          saved_at: by.atMs,
        });
        return "saved";
      }),

    change: (key, content, by) =>
      write(key.tenant, async (db) => {
        const known = await findOwn(db, key, by);
        if (typeof known === "string") return known;
        // Only whoever saved it would see it.
        if (!content.isShared && known.actor !== by.actor) return "not-theirs";
        const objection = await findObjection(db, context, key, { ...content, actor: known.actor });
        if (objection !== null) return objection;
        const { tenant, viewId } = key;
        await updateRows(
          db,
          "saved_views",
          { tenant, view_id: viewId },
          {
            is_shared: Number(content.isShared),
            content: toContent(sealer, key, content),
            saved_at: by.atMs,
          },
        );
        return "saved";
      }),

    remove: (key, by) =>
      write(key.tenant, async (db) => {
        const known = await findOwn(db, key, by);
        if (typeof known === "string") return known;
        await deleteRows(db, "saved_views", { tenant: key.tenant, view_id: key.viewId });
        return "removed";
      }),
  };
}

/** A person's own views go with them. Those that they shared stay for their colleagues, without them. */
export async function eraseViewsOf(db: Database, { tenant, actor }: { tenant: TenantId; actor: string }) {
  await deleteRows(db, "saved_views", { tenant, actor, is_shared: 0 });
  await updateRows(db, "saved_views", { tenant, actor }, { actor: null });
}

/** Delete the views whose names mention a person whose data is erased. */
export function eraseViewsThat(
  mention: (text: string) => boolean,
  { engine, sealer }: StoreContext,
  tenant: TenantId,
): Promise<void> {
  const unit = async (db: Database): Promise<void> => {
    const rows = await selectRows(db, "saved_views", { tenant }, COLUMNS);
    const found = toViews(sealer, tenant, rows).filter(({ name }) => mention(name));
    const ids = found.map(({ viewId }) => viewId);
    if (ids.length > 0) await deleteRows(db, "saved_views", { tenant, view_id: ids });
  };
  return engine.write(unit, { alone: toViewsName(tenant) });
}

function toViewsName(tenant: string): string {
  return `views:${tenant}`;
}

const COLUMNS = ["view_id", "list", "actor", "is_shared", "content", "saved_at"] as const;
type ViewRow = Awaited<ReturnType<typeof selectRows<"saved_views", (typeof COLUMNS)[number]>>>[number];

async function selectSeen(
  db: Database,
  sealer: Sealer,
  tenant: TenantId,
  actor: string,
): Promise<readonly SavedView[]> {
  const isSeen = sql<SqlBool>`(is_shared = 1 or actor = ${actor})`;
  return toViews(sealer, tenant, await selectRows(db, "saved_views", { tenant }, COLUMNS, isSeen));
}

/** Without views that can't be decrypted. */
function toViews(sealer: Sealer, tenant: TenantId, rows: readonly ViewRow[]): readonly SavedView[] {
  return rows.flatMap((row) => {
    const place = placeOfView({ tenant, viewId: row.view_id });
    const content = sealer.tryJson(place, row.content) as Pick<SavedView, "name" | "query"> | undefined;
    if (content === undefined) return [];
    const { view_id: viewId, actor, is_shared: isShared, saved_at: savedAtMs } = row;
    return [{ viewId, list: row.list as ViewList, actor, isShared: isShared === 1, savedAtMs, ...content }];
  });
}

/** The view, if the person may change it: their own, or as an owner any that is shared. */
async function findOwn(db: Database, { tenant, viewId }: ViewKey, { actor, isOwner }: ViewAct) {
  const columns = ["actor", "is_shared"] as const;
  const row = await findRow(db, "saved_views", { tenant, view_id: viewId }, columns);
  if (row === undefined) return "unknown";
  if (row.actor === actor) return row;
  if (row.is_shared === 0) return "unknown";
  return isOwner ? row : "not-theirs";
}

/** Why a view can't be saved like this: the names that a person sees differ, ignoring case. */
async function findObjection(
  db: Database,
  { sealer }: StoreContext,
  { tenant, viewId }: ViewKey,
  { name, isShared, actor }: ViewContent & { readonly actor: string | null },
): Promise<"name-taken" | "too-many" | null> {
  const seen = await selectSeen(db, sealer, tenant, actor ?? "");
  const others = seen.filter((one) => one.viewId !== viewId);
  if (others.some((one) => fold(one.name) === fold(name))) return "name-taken";
  const sameKind = others.filter((one) => one.isShared === isShared);
  return sameKind.length >= MOST_VIEWS ? "too-many" : null;
}

function fold(name: string): string {
  return name.normalize("NFKC").toLowerCase();
}

function toContent(sealer: Sealer, key: ViewKey, { name, query }: ViewContent): Buffer {
  return sealer.sealJson(placeOfView(key), { name, query });
}

function placeOfView({ tenant, viewId }: ViewKey) {
  return { tenant, table: "saved_views", column: "content", row: viewId } as const;
}
