import type { AlertMessage } from "./alert-message.ts";
import { NEVER_SENT, raiseAlert } from "../base/alerts.ts";
import { readCode } from "../base/errors.ts";
import type { Logger } from "../base/logger.ts";
import { pause, withinDeadline } from "../base/waiting.ts";

export type AlertChannelName = "webhook" | "email";

/** How one delivery attempt ended. `problem` is a code, such as `status:500` or `ECONNREFUSED`, never a text. */
export type Delivery =
  /** `refused`: how many of several recipients were refused. */
  | { readonly outcome: "sent"; readonly refused: number }
  | {
      readonly outcome: "failed";
      readonly retryable: boolean;
      readonly problem: string;
      /** How long the receiver asks to wait. */
      readonly retryAfterMs?: number | undefined;
    };

/** Delivers messages, one attempt at a time. */
export interface AlertChannel {
  readonly name: AlertChannelName;
  /** Make one attempt, within the channel's time limit. Never rejects. */
  send(message: AlertMessage, signal: AbortSignal): Promise<Delivery>;
  close(): Promise<void>;
}

/** A code such as `ECONNREFUSED`, also of the cause; `failed` when there is no code. */
export function toProblem(error: unknown): string {
  const code = readCode(error) ?? (error instanceof Error ? readCode(error.cause) : undefined);
  if (code !== undefined) return code;
  return error instanceof Error && /^\w{1,64}$/.test(error.name) ? error.name : "failed";
}

/** The queue of one channel, which sends one message after another. */
export type Outbox = ReturnType<typeof createOutbox>;

/** Whether a message may still go to its address. Asked before each attempt; a failure counts as a failed attempt. */
export type IsWanted = () => Promise<boolean>;

interface OutboxOptions {
  readonly channel: AlertChannel;
  /** Logs failures. It must not turn them into messages. */
  readonly logger: Logger;
  /** Pauses before the second and each further attempt, in milliseconds. Default: 1, 10, 60 and 240 seconds. */
  readonly retryDelaysMs?: readonly number[] | undefined;
  /** Most messages waiting. Default 100. */
  readonly max?: number | undefined;
}

interface Waiting {
  readonly message: AlertMessage;
  readonly isWanted: IsWanted | undefined;
  readonly ended: ((isOver: boolean) => void) | undefined;
}

/**
 * The attempts outlast a restart of the receiver, a chat service's limit of messages a minute, and the five minutes for which
 * a mail server usually refuses a sender that it doesn't know yet.
 */
const RETRY_DELAYS_MS = [1_000, 10_000, 60_000, 240_000];
/** The longest pause that a receiver can ask for: the messages behind this one wait, too. */
const MAX_RETRY_AFTER_MS = 240_000;
const MAX_WAITING = 100;
/** How long an attempt may take once it was asked to stop. */
const STOP_MS = 500;

export function createOutbox(options: OutboxOptions) {
  const { channel, logger, max = MAX_WAITING } = options;
  const waiting: Waiting[] = [];
  const hurry = new AbortController();
  const stop = new AbortController();
  let work: Promise<void> | undefined;

  function fail(problem: string): void {
    raiseAlert(logger, NEVER_SENT, { channel: channel.name, problem }, "an alert couldn't be sent");
  }

  function drop(problem: string, { ended }: Waiting): void {
    fail(problem);
    ended?.(false);
  }

  async function deliver({ ended, ...waiting }: Waiting): Promise<void> {
    const delivery = await sendWithRetries(options, waiting, hurry.signal, stop.signal);
    if (delivery === undefined) return ended?.(true);
    const isFailed = delivery.outcome === "failed";
    ended?.(!(isFailed && delivery.retryable && hurry.signal.aborted));
    if (isFailed) return fail(delivery.problem);
    if (delivery.refused === 0) return;
    const facts = { channel: channel.name, problem: "recipients-refused", refused: delivery.refused };
    raiseAlert(logger, NEVER_SENT, facts, "an alert didn't reach all recipients");
  }

  async function empty(): Promise<void> {
    for (let message = waiting.shift(); message !== undefined; message = waiting.shift()) {
      await deliver(message);
    }
    work = undefined;
  }

  return {
    /** Whether no message is waiting or leaving. */
    isIdle: (): boolean => work === undefined,
    /**
     * Never throws and never waits. When the queue is full, the oldest message is dropped.
     *
     * @param ended - Called once: true if the message was sent, failed its last attempt or isn't wanted anymore, false if it was dropped.
     */
    push(message: AlertMessage, ended?: (isOver: boolean) => void, isWanted?: IsWanted): void {
      const oldest = waiting.length >= max ? waiting.shift() : undefined;
      if (oldest !== undefined) drop("too-many", oldest);
      waiting.push({ message, ended, isWanted });
      work ??= empty();
    },
    /** Give waiting messages `graceMs` for one more attempt each; drop the rest and close the channel. */
    async close(graceMs: number) {
      hurry.abort();
      await withinDeadline(Promise.resolve(work), graceMs);
      for (const left of waiting.splice(0)) drop("stopping", left);
      stop.abort();
      await withinDeadline(Promise.resolve(work), STOP_MS);
      await channel.close();
    },
  };
}

/** Undefined if it isn't wanted anymore. */
async function sendWithRetries(
  { channel, retryDelaysMs = RETRY_DELAYS_MS }: OutboxOptions,
  { message, isWanted }: Omit<Waiting, "ended">,
  hurry: AbortSignal,
  stop: AbortSignal,
): Promise<Delivery | undefined> {
  for (let tries = 0; ; tries += 1) {
    const failure = await findObstacle(isWanted);
    if (failure === "unwanted") return undefined;
    const delivery = failure ?? (await channel.send(message, stop));
    const delayMs = retryDelaysMs[tries];
    if (delivery.outcome === "sent" || !delivery.retryable || delayMs === undefined || hurry.aborted) {
      return delivery;
    }
    // When the process stops, the pause ends and one more attempt follows at once. The others follow after the restart.
    const askedMs = Math.min(delivery.retryAfterMs ?? 0, MAX_RETRY_AFTER_MS);
    await pause(Math.max(delayMs, askedMs), hurry).catch(() => undefined);
  }
}

async function findObstacle(isWanted: IsWanted | undefined): Promise<"unwanted" | Delivery | undefined> {
  try {
    return isWanted === undefined || (await isWanted()) ? undefined : "unwanted";
  } catch (error) {
    return { outcome: "failed", retryable: true, problem: toProblem(error) };
  }
}
