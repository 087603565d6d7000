import { randomUUID } from "node:crypto";
import { z } from "zod";
import { parseJson } from "../base/json.ts";
import { createBackground, withinDeadline } from "../base/waiting.ts";
import { SENDING_MS } from "../store/incidents/incidents.ts";
import type { IncidentKey, Store, UnsentIncident } from "../store/store.ts";
import { alertNews, type AlertNews } from "./alert-message.ts";
import { noticeForm, type Notice } from "./notice-event.ts";

const STORE_TIMEOUT_MS = 5_000;
/** How long not to ask the store after it failed: otherwise each alert would wait for it. */
const STORE_REST_MS = 30_000;

/** Asks the store what other processes have sent. Undefined if it didn't answer in time, or failed a moment ago. */
function createAsk({ store, now }: Pick<SendingOptions, "store" | "now">) {
  let failedAtMs = Number.NEGATIVE_INFINITY;
  return async <T>(work: (store: Pick<Store, "incidents">) => Promise<T>): Promise<T | undefined> => {
    const shared = store();
    // The check also works after the clock was set back.
    if (shared === undefined || Math.abs(now() - failedAtMs) < STORE_REST_MS) return undefined;
    try {
      const answer = await withinDeadline(work(shared), STORE_TIMEOUT_MS);
      if (answer !== undefined) return answer;
    } catch {
      // The store's own alert reports it.
    }
    failedAtMs = now();
    return undefined;
  };
}

/**
 * Send a message to all its recipients. Resolves to whether it is done: it arrived, or the last attempt failed. Never rejects.
 *
 * @param id - The same for every attempt.
 */
export type Send = (news: AlertNews, id: string) => Promise<boolean>;

export interface SendingOptions {
  /** A function, because the first alert can be raised before the store is open. */
  readonly store: () => Pick<Store, "incidents"> | undefined;
  readonly send: Send;
  /** Log a line and hear it: the process that was about to is gone. */
  readonly logAgain: (line: Readonly<Record<string, unknown>>) => void;
  /** Send a notice: the process that was about to is gone. */
  readonly takeNotice: (notice: Notice, message: UnsentIncident) => void;
  readonly now: () => number;
}

/**
 * Sends messages at least once: the store keeps each message from its claim until it was sent, so that another process can
 * send it if this one ends.
 */
export type Sending = ReturnType<typeof createSending>;

interface WrittenMessage extends UnsentIncident {
  readonly id: string;
}

/** How often to look for messages of processes that are gone, and to renew the claims on this one's own. */
const LOOK_MS = SENDING_MS / 2;
/** The most sent messages that the store doesn't know about yet. */
const MAX_SENT = 1_000;

/** A message, a notice, or the fields of a log line, as in `alert-once.ts`. */
const keptForm = z.union([
  z.object({ id: z.string(), news: alertNews }),
  z.strictObject({ id: z.string(), notice: noticeForm }),
  z.record(z.string(), z.unknown()).transform((line) => ({ line })),
]);

export function createSending({ store, send, logAgain, takeNotice, now }: SendingOptions) {
  const ask = createAsk({ store, now });
  /** Messages that this process has claimed and is sending. */
  const leaving = new Set<string>();
  /** Sent messages that the store doesn't know about yet. */
  const sent = new Map<string, UnsentIncident>();
  const underWay = createBackground();
  let lookAtMs = Number.NEGATIVE_INFINITY;

  async function forgetSent(): Promise<void> {
    for (const [unsent, message] of sent) {
      if ((await ask((store) => store.incidents.forgetUnsent(message))) !== undefined) sent.delete(unsent);
    }
  }

  async function finish(message: UnsentIncident, news: AlertNews, id: string): Promise<void> {
    await release(message, await send(news, id));
  }

  async function release(message: UnsentIncident, isOver: boolean): Promise<void> {
    leaving.delete(message.unsent);
    // The next look, by any process, sends what was dropped.
    if (isOver) await forget(message);
  }

  async function forget(message: UnsentIncident): Promise<void> {
    const [oldest] = sent.keys();
    if (sent.size >= MAX_SENT && oldest !== undefined) sent.delete(oldest);
    sent.set(message.unsent, message);
    await forgetSent();
  }

  function start(message: UnsentIncident, news: AlertNews, id: string): void {
    leaving.add(message.unsent);
    void underWay.add(finish(message, news, id));
  }

  return {
    ask,
    /** A message to claim; `unsent` is its stored form. */
    write(key: IncidentKey, news: AlertNews): WrittenMessage {
      const id = randomUUID();
      return { ...key, id, unsent: JSON.stringify({ id, news }) };
    },
    /** Send a claimed message, or an unclaimed one without the store. `news`: what to report now. */
    send: ({ id, ...message }: WrittenMessage, news: AlertNews): void => start(message, news, id),
    /** Whether it's time to {@link Sending.takeOver}. */
    isLookDue: (): boolean => Math.abs(now() - lookAtMs) >= LOOK_MS,
    /** Send messages that processes claimed but didn't send before they ended. Claims of this process stay. */
    async takeOver(): Promise<void> {
      lookAtMs = now();
      await forgetSent();
      for (const message of (await ask((store) => store.incidents.takeUnsent(now(), [...leaving]))) ?? []) {
        const { unsent } = message;
        if (leaving.has(unsent) || sent.has(unsent)) continue;
        const kept = keptForm.safeParse(parseJson(unsent)).data;
        // Another release wrote it in another format, so it can't be read later either.
        if (kept === undefined) sent.set(unsent, message);
        else if ("line" in kept) logAgain(kept.line);
        else if ("notice" in kept) takeNotice(kept.notice, message);
        else start(message, kept.news, kept.id);
      }
    },
    /** Keep a claimed message until {@link Sending.release}: no other process sends it. */
    hold: ({ unsent }: UnsentIncident): void => void leaving.add(unsent),
    /** A message that was held is done, or was dropped. */
    release,
    /** Something that the store keeps is on its way to people. */
    forget,
    /** Wait until the store knows what was sent. */
    settle: () => underWay.settle(),
  };
}
