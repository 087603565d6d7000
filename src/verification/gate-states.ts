import { LRUCache } from "lru-cache";
import type { Logger } from "../logger.ts";
import { toCircuitNames } from "./circuit-names.ts";
import { SOUND, type Block, type Circuit } from "./circuit.ts";

/** A tenant and the API key that its orders are asked with. Many tenants may share one key. */
export interface KeyUser {
  /** Names the key without telling it. */
  readonly keyId: string;
  readonly tenant: string;
}

/** What is known of a key. */
export interface KeyState {
  readonly circuit: Circuit;
  /** By tenant, the failures that content may have brought about, since the service last answered anybody. */
  readonly failing: ReadonlyMap<string, number>;
}

/** What is known of a tenant under a key. */
export interface TenantState extends KeyUser {
  readonly circuit: Circuit;
  /** When it was last let through, in milliseconds since the epoch. */
  readonly askedAtMs: number;
}

/** A key of which nothing is known. */
export const SOUND_KEY: KeyState = { circuit: SOUND, failing: new Map() };

/** What other processes have to know of a block. */
export type SharedState = Pick<Block, "code" | "untilMs" | "pause">;
/** Lets other processes know that calls are held back, or with null that they are not. */
export type ShareCircuit = (name: string, block: SharedState | null) => void;

/** Remembers keys and tenants, and tells the log when one is in trouble and when it no longer is. */
export interface GateStates {
  key(keyId: string): KeyState;
  tenant(user: KeyUser): TenantState;
  /** Replace what is known of a key; `error` is what brought it about. */
  keepKey(keyId: string, state: KeyState, error?: unknown): void;
  /** Replace what is known of a tenant; `error` is what brought it about. */
  keepTenant(state: TenantState, error?: unknown): void;
  /** Replace what is known of a key or a tenant by what another process found out, which has told the log. */
  adopt(user: KeyUser, name: string, circuit: Circuit): void;
  /** What looked like each tenant's own trouble is its key's: it begins and ends with the key's, and is told once. */
  absorb(keyId: string, tenants: Iterable<string>): void;
  /** Every tenant remembered, the one that asked longest ago first. */
  users(): Iterable<TenantState>;
}

/** Create {@link GateStates}; beyond `max` keys or tenants the least recently used is forgotten. */
export function createGateStates(max: number, logger: Logger, share: ShareCircuit = () => {}): GateStates {
  const keys = new LRUCache<string, KeyState>({ max });
  const tenants = new LRUCache<string, TenantState>({ max });

  const keyOf = (keyId: string): KeyState => keys.peek(keyId) ?? SOUND_KEY;
  const tenantOf = ({ keyId, tenant }: KeyUser): TenantState =>
    tenants.peek(nameOf({ keyId, tenant })) ?? { keyId, tenant, circuit: SOUND, askedAtMs: 0 };

  function announce(user: Partial<KeyUser>, before: Circuit, after: Circuit, error: unknown): void {
    const { alert, block } = after;
    if (alert === before.alert) return;
    if (alert === undefined) {
      logger.info({ ...user, resolved: before.alert }, "calls to the verification service go through again");
    } else {
      const fields = { ...user, alert, code: block?.code, err: error };
      logger.error(fields, "calls to the verification service are held back");
    }
  }

  function shareIfNew(name: string, before: Circuit, after: Circuit): void {
    const [known, next] = [toShared(before), toShared(after)];
    if (known?.code === next?.code && known?.untilMs === next?.untilMs) return;
    share(name, next ?? null);
  }

  return {
    key: keyOf,
    tenant: tenantOf,
    keepKey(keyId, state, error) {
      const before = keyOf(keyId).circuit;
      announce({ keyId }, before, state.circuit, error);
      shareIfNew(toCircuitNames({ keyId, tenant: "" }).key, before, state.circuit);
      // Keys in order take no room from those in trouble.
      if (state.circuit === SOUND && state.failing.size === 0) keys.delete(keyId);
      else keys.set(keyId, state);
    },
    keepTenant(state, error) {
      const { keyId, tenant, circuit } = state;
      const before = tenantOf(state).circuit;
      announce({ keyId, tenant }, before, circuit, error);
      shareIfNew(toCircuitNames(state).tenant, before, circuit);
      tenants.set(nameOf(state), state);
    },
    adopt(user, name, circuit) {
      if (name === toCircuitNames(user).key) {
        if (circuit === SOUND) announce({ keyId: user.keyId }, keyOf(user.keyId).circuit, circuit, undefined);
        keys.set(user.keyId, { ...keyOf(user.keyId), circuit });
      } else {
        if (circuit === SOUND) announce({ ...user }, tenantOf(user).circuit, circuit, undefined);
        tenants.set(nameOf(user), { ...tenantOf(user), circuit });
      }
    },
    absorb(keyId, absorbed) {
      for (const tenant of absorbed) {
        const state = tenantOf({ keyId, tenant });
        shareIfNew(toCircuitNames(state).tenant, state.circuit, SOUND);
        tenants.set(nameOf(state), { ...state, circuit: SOUND });
      }
    },
    users: () => [...tenants.rvalues()].filter((state) => state !== undefined),
  };
}

/** A pace is each process's own: each sees what is left. */
function toShared({ block }: Circuit): SharedState | undefined {
  if (block === undefined || block.pace !== undefined) return undefined;
  const { code, untilMs, pause } = block;
  return { code, untilMs, pause };
}

function nameOf({ keyId, tenant }: KeyUser): string {
  return `${keyId}\0${tenant}`;
}
