import { createHash, randomUUID } from "node:crypto";
import { createBackground, withinDeadline } from "../base/waiting.ts";
import type { UnsentIncident } from "../store/store.ts";
import { createBundles, type Bundle } from "./notice-bundles.ts";
import type { Notice } from "./notice-event.ts";
import { createNoticeDelivery, type NoticeDeliveryOptions } from "./notice-delivery.ts";
import type { Sending } from "./sending.ts";

export interface NoticesOptions extends NoticeDeliveryOptions {
  readonly sending: Sending;
}

/** When to try again if the store couldn't say who wants to know. */
const AGAIN_MS = 30_000;
/** An alert about an order becomes a notice once in this time, in milliseconds. */
const QUIET_MS = 3_600_000;

/**
 * Notifies people of events that they chose. The store keeps each notice from the moment it is heard until it was sent, as it
 * keeps alerts. Notices of one event that come close together become one message.
 */
export function createNotices(options: NoticesOptions) {
  const { sending, now } = options;
  const delivery = createNoticeDelivery(options);
  const bundles = createBundles(now);
  const claiming = createBackground();
  const leaving = createBackground();

  function add(notice: Notice, message: UnsentIncident): void {
    if (bundles.add(notice, message)) sending.hold(message);
    else void leaving.add(sending.forget(message));
  }

  async function claim(notice: Notice): Promise<void> {
    const { tenant } = notice;
    const message = { tenant, name: toName(notice), unsent: JSON.stringify({ id: randomUUID(), notice }) };
    const report = { ...message, nowMs: now(), quietMs: QUIET_MS };
    const opened = await sending.ask((store) => store.incidents.open(report));
    if (opened?.isNews ?? true) add(notice, message);
  }

  /** Each address has a notice of its own, so one that can't be reached repeats nothing for the others. */
  async function claimAll(notice: Notice): Promise<void> {
    // If the store doesn't answer, the notice waits until it does.
    const addressed = await delivery.address(notice).catch(() => [notice]);
    for (const one of addressed) await claim(one);
  }

  async function send(bundle: Bundle): Promise<void> {
    const { first, count, messages } = bundle;
    try {
      const isOver = await delivery.send({ first, count, id: toId(messages) });
      for (const message of messages) await sending.release(message, isOver);
    } catch {
      // The store's own alert reports it.
      bundles.putBack(bundle, now() + AGAIN_MS);
    }
  }

  function sendBundles(all: boolean): void {
    for (const bundle of bundles.take(all)) void leaving.add(send(bundle));
  }

  return {
    /** Never rejects. Resolves once the notice is stored, or nobody wants to know of it. */
    hear: (notice: Notice): Promise<void> => claiming.add(claimAll(notice).catch(() => undefined)),
    /** A notice whose process ended before it was sent. */
    takeOver: add,
    /** Send what is due. */
    sendDue: () => sendBundles(false),
    /** Wait until everything so far is stored. */
    settle: () => claiming.settle(),
    /** Send what waits for others, and give messages this long to leave. */
    async close(forMs: number) {
      sendBundles(true);
      await Promise.all([delivery.close(forMs), withinDeadline(leaving.settle(), forMs)]);
    },
  };
}

/** An alert can be raised by several processes, and again; what a person did is raised once. */
function toName({ event, reason, orderId = "", to, channel }: Notice): string {
  const isRaisedOnce = event === "held" || event === "assigned";
  // The name is kept after the notice was sent, and says nothing about the person.
  const whose = toDigest(JSON.stringify([to, channel])).slice(0, 16);
  return isRaisedOnce ? `notice:${event}:${randomUUID()}` : `notice:${reason}:${whose}:${orderId}`;
}

function toId(messages: readonly UnsentIncident[]): string {
  return toDigest(messages.map(({ unsent }) => unsent).join("\n"));
}

const toDigest = (text: string) => createHash("sha256").update(text).digest("hex");
