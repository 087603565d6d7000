import type { DataOf } from "../api/api-types.ts";
import { nameActor } from "../api/words.ts";
import { isMe } from "../api/session.ts";
import { toStableText } from "../base/stable-text.ts";
import { t } from "../base/texts.ts";

export type SavedView = DataOf<"GET /views">["views"][number];
type Query = SavedView["query"];

/** The views of a list, by name. */
export function listViews(all: readonly SavedView[], list: SavedView["list"]): readonly SavedView[] {
  return all.filter((view) => view.list === list).toSorted((a, b) => a.name.localeCompare(b.name));
}

/** The view that shows just this; undefined if there is none. */
export function findView(views: readonly SavedView[], query: Query): SavedView | undefined {
  const wanted = toStableText(query);
  return views.find((view) => toStableText(view.query) === wanted);
}

/** A view's name, with the person who shared it if that is somebody else. */
export function nameView({ name, by }: SavedView): string {
  return by === null || isMe(by) ? name : t("orders.view-of", { name, person: nameActor(by) });
}
