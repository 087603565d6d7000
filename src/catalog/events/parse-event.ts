import { z } from "zod";
import { WEBHOOK_EVENTS } from "../operations/webhooks.ts";

type EventName = (typeof WEBHOOK_EVENTS)[number];
type Named<Suffix extends string> = Extract<EventName, `${string}.${Suffix}`>;

interface Base {
  readonly webhookId: string;
  readonly jobId: string;
}

/**
 * An event as it was received. Nobody signs events, so anybody may have sent it: read the job before you rely on it.
 * Times are ISO 8601; a field that the sender left out is undefined.
 */
export type ReceivedEvent =
  | (Base & { readonly event: Named<"start"> })
  | (Base & {
      readonly event: Named<"completed">;
      readonly status?: string | undefined;
      readonly completedAt?: string | undefined;
    })
  | (Base & {
      readonly event: Named<"stopped">;
      readonly status?: string | undefined;
      readonly stoppedAt?: string | undefined;
    })
  | (Base & { readonly event: Named<"failed">; readonly status?: string | undefined });

const short = z.string().min(1).max(200);
const maybeShort = short.optional().catch(undefined);
const envelope = z.looseObject({ webhookId: short, event: z.enum(WEBHOOK_EVENTS) });
const payload = z
  .object({
    id: maybeShort,
    jobId: maybeShort,
    status: maybeShort,
    completedAt: maybeShort,
    stoppedAt: maybeShort,
  })
  .transform(({ id, jobId = id, ...facts }) => ({ jobId, ...facts }));
type Payload = z.output<typeof payload>;

/** The interface doesn't show the payload's key. These are tried first. */
const LIKELY_KEYS: readonly string[] = ["payload", "data"];

/** How much an object looks like the payload. A sender may put other objects beside it. */
function toLikeness(key: string, { status, completedAt, stoppedAt }: Payload): number {
  if (LIKELY_KEYS.includes(key)) return 2;
  return (status ?? completedAt ?? stoppedAt) === undefined ? 0 : 1;
}

function findPayload(fields: Readonly<Record<string, unknown>>): Payload | undefined {
  const found = Object.entries(fields).flatMap(([key, value]) => {
    const read = payload.safeParse(value).data;
    return read?.jobId === undefined ? [] : [{ read, likeness: toLikeness(key, read) }];
  });
  return found.toSorted((one, other) => other.likeness - one.likeness)[0]?.read;
}

/**
 * Read the body of a webhook call of the catalog service. Pure: it reads no job, and stores nothing.
 *
 * @param body - the parsed JSON body.
 * @returns the event; undefined if the body isn't one of the interface's events.
 */
export function parseEvent(body: unknown): ReceivedEvent | undefined {
  const outer = envelope.safeParse(body).data;
  if (outer === undefined) return undefined;
  const { webhookId, event, ...rest } = outer;
  const { jobId, ...facts } = findPayload(rest) ?? {};
  if (jobId === undefined) return undefined;
  const known = Object.entries(facts).filter(([, value]) => value !== undefined);
  return { webhookId, event, jobId, ...Object.fromEntries(known) };
}
