import { toConfigError } from "../base/errors.ts";
import { toIso } from "../base/iso-time.ts";
import { CONSOLE_ACTOR, type Person } from "../store/people/person.ts";
import type { Values } from "./arguments.ts";
import type { WorkContext } from "./command.ts";
import { findTenant, withPreparedStore } from "./installation.ts";

/**
 * `holdfast people`: list who may use the console of a shop, and what they may do. Works beside a running app.
 *
 * @param tenant Default: the one shop that is installed.
 * @throws {HoldfastError} `CONFIG_INVALID` for an unknown shop, `STORE_UNAVAILABLE`.
 */
export async function listPeople(options: Pick<Values, "tenant" | "json">, context: WorkContext) {
  await withPreparedStore(context.config, async (store) => {
    const tenant = await findTenant(store, options.tenant);
    const people = await store.people.list(tenant);
    if (options.json) {
      const shown = people.map(toPersonJson);
      return context.terminal.line(JSON.stringify({ tenant, people: shown }, undefined, 2));
    }
    for (const person of people) context.terminal.line(describe(person));
  });
}

/**
 * `holdfast people promote PERSON`: make somebody an owner, for a shop whose owners have left. Noted in its access log
 * as done by the operator.
 *
 * @throws {HoldfastError} `CONFIG_INVALID` for an unknown shop or person, `STORE_UNAVAILABLE`.
 */
export async function promotePerson(
  options: Pick<Values, "tenant"> & { readonly actor: string },
  context: WorkContext,
): Promise<void> {
  await withPreparedStore(context.config, async (store) => {
    const tenant = await findTenant(store, options.tenant);
    const key = { tenant, actor: options.actor };
    const change = await store.people.change(
      key,
      { role: "owner" },
      { by: CONSOLE_ACTOR, atMs: context.now() },
    );
    if (change.outcome === "changed") return context.terminal.line(describe(change.person));
    throw toConfigError(
      change.outcome === "revoked"
        ? `the token of ${options.actor} is revoked permanently: create a new token`
        : `${tenant} has no person ${options.actor}: they must open the app once; "holdfast people" lists everyone who did`,
    );
  });
}

function toPersonJson({ actor, name, role, kind, seenAtMs, revokedAtMs }: Person) {
  return { actor, name, role, kind, seenAt: toIso(seenAtMs), revokedAt: toIso(revokedAtMs) };
}

function describe({ actor, name, role, seenAtMs, revokedAtMs }: Person): string {
  const seen = seenAtMs === null ? "never seen" : `last seen ${toIso(seenAtMs)}`;
  const state = revokedAtMs === null ? seen : `access removed on ${toIso(revokedAtMs)}`;
  return [actor, ...(name === null ? [] : [name]), role, state].join("  ");
}
