import {
  MOST_TRIES,
  type BuyerAnswer,
  type BuyerCheckMethod,
  type LinkRoute,
  type RightAnswer,
  type UnofferedReason,
} from "../../order/buyer-check.ts";
import { isMaterial } from "../../platform/changed-content.ts";
import type { OrderRecord } from "../orders/order-record.ts";
import type { OrderKey } from "../statements.ts";

/** Where a link goes. */
export interface Recipient {
  readonly kind: "email" | "phone";
  readonly address: string;
  /** The name of the earlier order that used it. Absent: it came with the order itself. */
  readonly ofOrder?: string | undefined;
}

/** In which ways a buyer is asked. `true`: offered; otherwise why it isn't. */
export type OfferedMethods = Readonly<Record<BuyerCheckMethod, true | UnofferedReason>>;

/** The question to the buyer of an order in one state. */
export interface NewBuyerCheck extends OrderKey {
  /** 32 random hexadecimal digits, of which the link is made. */
  readonly checkId: string;
  /** Digest of the link's token. The token itself isn't stored. */
  readonly tokenDigest: string;
  /** `decidedAtMs` of the order: the decision that it's about, and the content that was decided on. */
  readonly decidedAtMs: number;
  readonly effect: RightAnswer;
  /** `false`: an answer at the earlier order's address makes the order one level milder at most. */
  readonly isStrong: boolean;
  readonly methods: OfferedMethods;
  readonly route: LinkRoute;
  /** Null: there is nowhere to send it. */
  readonly recipient: Recipient | null;
  readonly askedAtMs: number;
  readonly expiresAtMs: number;
  /** When to try methods again that weren't possible for now; null if none is, or they were tried often enough. */
  readonly retryAtMs: number | null;
}

/** Any JSON, of one method. */
export type KeptOfMethod = unknown;

export interface BuyerCheck extends NewBuyerCheck {
  /** What methods keep to judge an answer. Empty once erased. */
  readonly kept: Readonly<Partial<Record<BuyerCheckMethod, KeptOfMethod>>>;
  /** When to send the link next; null if nothing is left to send. */
  readonly sendAtMs: number | null;
  /** How often it was tried to send it. */
  readonly sends: number;
  /** How often methods were tried again. */
  readonly retries: number;
  readonly sentAtMs: number | null;
  /** Why it couldn't be sent, as a code; null if it could. */
  readonly problem: string | null;
  /** Answers that didn't settle it, such as a mistyped code. */
  readonly tries: number;
  readonly answer: {
    readonly answer: BuyerAnswer;
    readonly method: BuyerCheckMethod;
    readonly atMs: number;
  } | null;
  /** When a person revoked the link. */
  readonly revokedAtMs: number | null;
}

/** What a check may change while it's open. */
export type BuyerCheckChanges = Partial<
  Pick<
    BuyerCheck,
    | ("methods" | "route" | "recipient" | "isStrong" | "kept" | "sendAtMs" | "sends" | "sentAtMs")
    | ("retryAtMs" | "retries" | "problem" | "revokedAtMs")
  >
>;

export function isOffered(methods: OfferedMethods): boolean {
  return Object.values(methods).includes(true);
}

/** What a right answer does. Only an order that shares the card or the delivery address makes an earlier address good for a release. */
export function toEffect({ effect, isStrong }: BuyerCheck, method: BuyerCheckMethod): RightAnswer {
  return method === "earlier-address" && !isStrong ? "milder" : effect;
}

type BoundOrder = Pick<OrderRecord, "state" | "review" | "decision" | "decidedAtMs" | "revision" | "mapped">;

/** Whether a check is about the order as it is now. A material change or a new decision revokes its link; a note or a tag doesn't. */
export function isAboutNow(
  { decidedAtMs }: Pick<BuyerCheck, "decidedAtMs">,
  order: Pick<BoundOrder, "decidedAtMs" | "revision" | "mapped">,
): boolean {
  return decidedAtMs === order.decidedAtMs && isAsDecided(order);
}

/** Whether the order still has the content that was decided on, except for changes that don't matter. */
function isAsDecided({ revision, mapped }: Pick<BoundOrder, "revision" | "mapped">): boolean {
  if (revision === null || mapped === null) return true;
  return !revision.rescreen && !isMaterial(mapped, revision.mapped);
}

/** Whether the order still waits for somebody's word: Holdfast holds it as it is, and no person decided. */
export function isAskable({ state, review, decision, revision, mapped }: BoundOrder): boolean {
  if (state !== "review" || review !== null || mapped === null || !isAsDecided({ revision, mapped }))
    return false;
  return (
    decision !== null &&
    decision.action === "hold" &&
    decision.enforce &&
    decision.source !== "person" &&
    decision.disputed !== true &&
    decision.confirmed === undefined
  );
}

/** Whether a check still waits for an answer that it may take. */
export function isUnsettled(
  {
    answer,
    revokedAtMs,
    expiresAtMs,
    tries,
  }: Pick<BuyerCheck, "answer" | "revokedAtMs" | "expiresAtMs" | "tries">,
  nowMs: number,
): boolean {
  return answer === null && revokedAtMs === null && nowMs < expiresAtMs && tries < MOST_TRIES;
}

/** Whether a buyer said that the order isn't theirs, or used up all tries without an answer. */
export function isDenied({ answer, tries }: Pick<BuyerCheck, "answer" | "tries">): boolean {
  return answer === null ? tries >= MOST_TRIES : answer.answer === "wrong";
}

/** Whether a link works now. If it doesn't, nobody who opens it learns why. */
export function isLinkOpen(check: BuyerCheck, order: BoundOrder, nowMs: number): boolean {
  return (
    isUnsettled(check, nowMs) && isOffered(check.methods) && isAboutNow(check, order) && isAskable(order)
  );
}
