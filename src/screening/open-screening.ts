import { randomUUID } from "node:crypto";
import { isCloudflare, keepRequestAlive } from "../base/cloudflare.ts";
import { createCircuitBreaker } from "../service/circuit-breaker.ts";
import type { VerificationClient } from "../service/client.ts";
import { createMemoryLedger } from "../store/opening/memory-ledger.ts";
import { createCircuitSharing } from "./circuit-sharing.ts";
import { createLazyLocal } from "./lazy-local.ts";
import { createScreening, type Screening } from "./screening.ts";
import type { ScreenerOptions } from "./screener-options.ts";
import { toKeyId, type ScreeningParts } from "./screening-task.ts";

/** How long a checkout waits for the counts of other orders, in milliseconds. */
const VELOCITY_WITHIN_MS = 250;

/** The parts that a screener opens with its first check. */
export type OpenScreening = ReturnType<typeof openScreening>;

interface OpenOptions extends Pick<ScreenerOptions, "store" | "service"> {
  readonly tenant: string;
}

/** Open a screener's parts. Without a store, the ledger is kept in memory. */
export function openScreening(
  { store: given, tenant, service }: OpenOptions,
  client: VerificationClient | undefined,
  parts: Omit<ScreeningParts, "store" | "breaker" | "sharing" | "owner">,
) {
  // A store that was passed in stays open.
  const { close, ...store } =
    given === undefined
      ? createMemoryLedger(parts)
      : { ledger: given.ledger, keyring: given.keyring, close: () => undefined };
  const sharing = createCircuitSharing({ ...parts, store });
  const probe = async () => client?.organizations();
  const breaker = createCircuitBreaker({ ...parts, probe, share: sharing.share });
  const create = isCloudflare() ? createScreeningPerCheck : createScreening;
  const screening = create({
    ...parts,
    store,
    breaker,
    sharing,
    probe,
    owner: randomUUID(),
  });
  return {
    screening,
    local: createLazyLocal({
      ...parts,
      store: given?.velocity,
      keyring: store.keyring,
      timeLimitMs: VELOCITY_WITHIN_MS,
    }),
    keyId: service === "local" ? tenant : toKeyId(store.keyring, tenant, service),
    /** Close what was opened here. */
    close: async () => close(),
  };
}

/**
 * A {@link Screening} for Cloudflare, where a request can't wait for another's call, slot or timer. Each check has its own,
 * as if it ran in a process of its own, and they share the store: it tells the second one that the first is asking, and the
 * second looks again until there's an answer.
 */
function createScreeningPerCheck(parts: ScreeningParts): Pick<Screening, "fingerprint" | "screen" | "close"> {
  const { fingerprint } = createScreening(parts);
  let isClosed = false;
  return {
    fingerprint,
    async screen(input) {
      const own = createScreening({ ...parts, onCall: keepRequestAlive });
      if (isClosed) void own.close();
      return own.screen(input);
    },
    /** Begin no new checks. Running ones end with their requests. */
    async close() {
      isClosed = true;
    },
  };
}
