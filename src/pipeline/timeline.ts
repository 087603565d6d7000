import type { TimelineEntry } from "../store/store.ts";

/** One line of an order's history, by Holdfast unless told otherwise: `platform`, or `person:ID`. */
export function toTimelineEntry(
  atMs: number,
  kind: string,
  detail: string,
  actor = "holdfast",
): TimelineEntry {
  return { atMs, kind, detail, actor };
}
