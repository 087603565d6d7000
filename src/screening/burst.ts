import type { Logger } from "../logger.ts";
import type { AttemptGrant } from "../store/store.ts";
import type { Question } from "./question.ts";

/** Orders of one mailbox, network or delivery address that may cost credits in an hour, unless told otherwise. */
export const DEFAULT_PER_SOURCE_HOURLY = 30;

/** Tell that orders of one address have begun to flood a shop: once, however many come. */
export function alertOfBurst(
  logger: Logger,
  { tenant }: Question,
  { sources }: Extract<AttemptGrant, { readonly outcome: "braked" }>,
): void {
  // `kind:digest`; only the kind says anything to a person.
  const kinds = sources.map((source) => source.slice(0, source.indexOf(":")));
  logger.error(
    { alert: "burst_braked", tenant, sources: kinds },
    "too many orders come from the same address: they cost no credits and are held",
  );
}
