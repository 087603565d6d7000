import { addAccess } from "./access-log.ts";
import type { Keyring } from "../sealing/keyring.ts";
import type { StoreContext } from "../context.ts";
import { markSeen, PERSON_COLUMNS, toPerson, toTokenDigest, type PersonRow } from "./people.ts";
import { CONSOLE_ACTOR, type Person, type PersonKey } from "./person.ts";
import type { TenantId } from "../../platform/platform.ts";
import type { Database } from "../schema/schema.ts";
import { deleteRows, insertRow } from "../statements.ts";

export interface NewSession extends PersonKey {
  /** The cookie's value, in the clear; only its digest is stored. */
  readonly value: string;
  /** The token used to sign in, in the clear; only its digest is stored. */
  readonly token: string;
  readonly nowMs: number;
  readonly expiresAtMs: number;
}

export interface KnownSession {
  readonly tenant: TenantId;
  /** Null for the operator. */
  readonly person: Person | null;
}

/** A session that is valid now. */
export interface LiveSession extends KnownSession {
  readonly value: string;
  readonly createdAtMs: number;
}

interface Moment {
  readonly nowMs: number;
  /** The operator's current token; without it there is no operator. */
  readonly consoleToken: string | undefined;
}

/** Sessions of people who signed in without a platform. */
export interface SessionStore {
  /** Begin a session, end earlier ones of the browser and write the access log, in one transaction. */
  start(session: NewSession, formerValues: readonly string[]): Promise<void>;
  /**
   * The person of a session; null if it is unknown or expired, or if the token used to sign in is no longer valid.
   */
  find(value: string, moment: Moment): Promise<KnownSession | null>;
  /** Those of the sessions that {@link find} would find. It doesn't note that their people were seen. */
  list(values: readonly string[], moment: Moment): Promise<readonly LiveSession[]>;
  /** End sessions. Repeatable. */
  end(values: readonly string[]): Promise<void>;
}

export function createSessionStore(context: StoreContext): SessionStore {
  const { engine, keyring } = context;
  const toDigests = (values: readonly string[]) => values.map((value) => toSessionDigest(keyring, value));

  return {
    async start({ value, token, tenant, actor, nowMs, expiresAtMs }, formerValues) {
      await engine.write(async (db) => {
        await deleteSessions(db, toDigests(formerValues));
        await insertRow(db, "sessions", {
          session_digest: toSessionDigest(keyring, value),
          tenant,
          actor,
          credential: toCredential(keyring, actor, token),
          created_at: nowMs,
          expires_at: expiresAtMs,
        });
        await addAccess(db, tenant, { atMs: nowMs, actor, what: "sign-in", subject: "" });
      });
    },

    async find(value, moment) {
      const [row] = await readRows(context, [value], moment.nowMs);
      const found = row === undefined ? null : openRow(context, row, moment);
      if (row === undefined || found === null || found.person === null) return found;
      await markSeen(context, { tenant: found.tenant, actor: found.person.actor }, row.seen_at, moment.nowMs);
      return found;
    },

    async list(values, moment) {
      const rows = values.length === 0 ? [] : await readRows(context, values, moment.nowMs);
      const valueOf = new Map(values.map((value) => [toSessionDigest(keyring, value), value]));
      return rows.flatMap((row) => {
        const found = openRow(context, row, moment);
        const value = valueOf.get(row.session_digest);
        return found === null || value === undefined
          ? []
          : [{ ...found, value, createdAtMs: row.session_created_at }];
      });
    },

    async end(values) {
      if (values.length > 0) await engine.write((db) => deleteSessions(db, toDigests(values)));
    },
  };
}

function readRows({ engine, keyring }: StoreContext, values: readonly string[], nowMs: number) {
  const digests = values.map((value) => toSessionDigest(keyring, value));
  return engine.read((db) =>
    db
      .selectFrom("sessions")
      .leftJoin("people", (join) =>
        join.onRef("people.tenant", "=", "sessions.tenant").onRef("people.actor", "=", "sessions.actor"),
      )
      .leftJoin("tenants", "tenants.tenant", "sessions.tenant")
      .select(["sessions.tenant", "sessions.actor as session_actor", "sessions.credential"])
      .select(["sessions.session_digest", "sessions.created_at as session_created_at"])
      .select(["tenants.state as tenant_state", ...PERSON_COLUMNS])
      .where("sessions.session_digest", "in", digests)
      .where("sessions.expires_at", ">", nowMs)
      .execute(),
  );
}

type Row = Awaited<ReturnType<typeof readRows>>[number];

/** Whose session it is; null if the token used to sign in is no longer valid. */
function openRow({ keyring, sealer }: StoreContext, row: Row, { consoleToken }: Moment): KnownSession | null {
  const { tenant, session_actor: actor, credential } = row;
  if (row.tenant_state === "uninstalled") return null;
  if (actor === CONSOLE_ACTOR) {
    const isCurrent = consoleToken !== undefined && credential === toCredential(keyring, actor, consoleToken);
    return isCurrent ? { tenant, person: null } : null;
  }
  if (!isKept(row) || row.revoked_at !== null || row.token_digest !== credential) return null;
  return { tenant, person: toPerson(sealer, tenant, row) };
}

/** Whether the join found the person. */
function isKept<T extends { readonly actor: string | null }>(row: T): row is T & PersonRow {
  return row.actor !== null;
}

function toSessionDigest(keyring: Keyring, value: string): string {
  return keyring.digest("", "session", value);
}

/** The operator's token isn't in the table of people. */
function toCredential(keyring: Keyring, actor: string, token: string): string {
  return actor === CONSOLE_ACTOR ? keyring.digest("", "console-token", token) : toTokenDigest(keyring, token);
}

async function deleteSessions(db: Database, digests: readonly string[]): Promise<void> {
  if (digests.length > 0) await deleteRows(db, "sessions", { session_digest: digests });
}
