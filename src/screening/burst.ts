import { raiseAlert } from "../base/alerts.ts";
import { HoldfastError } from "../base/errors.ts";
import type { Logger } from "../base/logger.ts";
import { DEFAULT_PER_SOURCE_HOURLY } from "../policy/policy.ts";
import type { Keyring } from "../store/sealing/keyring.ts";
import type { AttemptGrant, AttemptRequest } from "../store/store.ts";
import type { ScreeningInput, ScreeningParts } from "./screening-task.ts";
import { isRelayed } from "../engine/facts/ip-facts.ts";
import { toLinkKeys, type TenantDigest } from "../engine/velocity/keys.ts";
import { toSourceName, toSources, type OrderSource } from "../store/credits/burst-brake.ts";
import type { SourceHistory } from "../store/credits/attempt.ts";
import type { PartialVerificationRequest, VerificationRequest } from "../order/request.ts";

export function toBurst(
  { tenant, request, budget, placedAtMs }: ScreeningInput,
  keyring: Pick<Keyring, "digest">,
  nowMs: number,
): AttemptRequest["burst"] {
  const kinds = new Map(
    toSources(request).map((source) => [toSourceName(keyring, tenant, source), source.kind]),
  );
  const digest: TenantDigest = (purpose, text) => keyring.digest(tenant, purpose, text);
  return {
    limit: budget.perSourceHourly === undefined ? DEFAULT_PER_SOURCE_HOURLY : budget.perSourceHourly,
    atMs: placedAtMs ?? toPlacedAtMs(request, nowMs),
    sources: [...kinds.keys()],
    historyOf: (source) => findHistory(kinds.get(source), request, digest),
  };
}

const LINKS = { email: "mailbox", ip: "network", delivery: "address" } as const;

/** Orders are stored with digests that link them. A relay's address links nobody, so all relays count together. */
function findHistory(
  kind: OrderSource["kind"] | undefined,
  request: VerificationRequest,
  digest: TenantDigest,
): SourceHistory | undefined {
  if (kind === undefined) return undefined;
  if (kind === "ip" && isRelayed(request.ipAddress)) return { by: "relayed" };
  const by = LINKS[kind];
  const key = toLinkKeys(request, digest)[by];
  return key === undefined ? undefined : { by, digest: key };
}

/** Whether each check of an order counts at the burst brake: without an id, a repeat looks like another order. */
export function isCountedByCheck({ request }: ScreeningInput): boolean {
  return request.orderId === undefined;
}

/** Count one check of an order without an id at the burst brake. Resolves to the check's error if the brake stops it. */
export async function brakeCheck(
  { store, logger, now }: ScreeningParts,
  input: ScreeningInput,
): Promise<HoldfastError | undefined> {
  if (!isCountedByCheck(input)) return undefined;
  const burst = toBurst(input, store.keyring, now());
  if (burst.limit === null) return undefined;
  const braked = await store.ledger.countAtSources(input.tenant, burst);
  if (braked === null) return undefined;
  if (braked.isNew) alertOfBurst(logger, input, braked);
  return toBraked();
}

export function toBraked(): HoldfastError {
  const message = "too many orders come from the same source";
  return new HoldfastError("BURST_BRAKED", message, { retryable: false });
}

/** Alert that a flood of orders from one address has begun, once for the flood. */
export function alertOfBurst(
  logger: Logger,
  { tenant }: ScreeningInput,
  { sources }: Extract<AttemptGrant, { readonly outcome: "braked" }>,
): void {
  // `kind:digest`; only the kind says anything to a person.
  const kinds = sources.map((source) => source.slice(0, source.indexOf(":")));
  raiseAlert(
    logger,
    "burst_braked",
    { tenant, sources: kinds },
    "too many orders come from the same source: they're held and use no credits",
  );
}

/** A time with an offset. Without one, it would depend on the machine's time zone. */
const OFFSET_TIME = /(?:Z|[+-]\d{2}:?\d{2})$/i;

/** When the order was placed: its own time, so that a late order is compared with others of that time. Never in the future. */
export function toPlacedAtMs({ orderTimestamp }: PartialVerificationRequest, nowMs: number): number {
  if (orderTimestamp === undefined || !OFFSET_TIME.test(orderTimestamp)) return nowMs;
  const placedAtMs = Date.parse(orderTimestamp);
  return Number.isNaN(placedAtMs) ? nowMs : Math.min(placedAtMs, nowMs);
}
