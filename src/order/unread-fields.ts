import type { FieldProblem } from "../base/field-codes.ts";

/**
 * A symbol, so that a copy of a mapped order keeps it, and nothing sends or compares it. Shared, because a process can load
 * this module more than once.
 */
const UNREAD = Symbol.for("holdfast.unread");
/** A hostile order could have as many problems as lines. */
const MOST_UNREAD = 20;

/** A mapped order that remembers the first of the platform's fields that its mapping couldn't read. */
export function withUnread<T extends object>(order: T, unread: readonly FieldProblem[]): T {
  return unread.length === 0 ? order : { ...order, [UNREAD]: unread.slice(0, MOST_UNREAD) };
}

/** The fields that {@link withUnread} remembers. */
export function listUnread(order: object): readonly FieldProblem[] {
  return (order as { readonly [UNREAD]?: readonly FieldProblem[] })[UNREAD] ?? [];
}
