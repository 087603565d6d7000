import type { FieldProblem } from "../base/errors.ts";

/** A symbol, so that a copy of a mapped order keeps it, and nothing sends or compares it. */
const UNREAD = Symbol("the platform's fields that a mapping couldn't read");

/** A mapped order that remembers the platform's fields that its mapping couldn't read. */
export function withUnread<T extends object>(order: T, unread: readonly FieldProblem[]): T {
  return unread.length === 0 ? order : { ...order, [UNREAD]: unread };
}

/** The fields that {@link withUnread} remembers. */
export function listUnread(order: object): readonly FieldProblem[] {
  return (order as { readonly [UNREAD]?: readonly FieldProblem[] })[UNREAD] ?? [];
}
