/** What a person may do in the console, least first: look, decide on orders, change how Holdfast works. */
export const ROLES = ["viewer", "reviewer", "owner"] as const;
/** What a person may do in the console. */
export type Role = (typeof ROLES)[number];

/** Whether somebody who is `role` may do what takes `needed`. */
export function isAtLeast(role: Role, needed: Role): boolean {
  return ROLES.indexOf(role) >= ROLES.indexOf(needed);
}
