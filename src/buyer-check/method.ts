import type { BuyerAnswer, BuyerCheckMethod, UnofferedReason } from "../order/buyer-check.ts";
import type { Platform } from "../platform/platform.ts";
import type { Policy } from "../policy/policy.ts";
import type { BuyerCheck, KeptOfMethod, Recipient } from "../store/buyer-checks/buyer-check.ts";
import type { Database } from "../store/schema/schema.ts";
import type { OrderRecord } from "../store/store.ts";
import type { Html } from "./html.ts";
import type { BuyerTextKey, BuyerTexts } from "./texts/en.ts";

/** A held order whose buyer may be asked. */
export interface AskedOrder {
  readonly order: OrderRecord;
  readonly policy: Policy;
  readonly platform: Platform;
  readonly signal: AbortSignal;
  readonly nowMs: number;
}

/** `recipient`: the link has to go there for this method to prove anything. `isWeak`: a right answer never releases the hold. */
export type Offer =
  | {
      readonly possible: true;
      readonly recipient?: Recipient | undefined;
      readonly isWeak?: boolean | undefined;
    }
  | { readonly possible: false; readonly reason: UnofferedReason };

export type Beginning =
  | { readonly outcome: "begun"; readonly kept: KeptOfMethod }
  | { readonly outcome: "not-possible"; readonly reason: UnofferedReason };

/** A check that somebody opened. */
export interface ShownCheck {
  readonly check: BuyerCheck;
  readonly order: OrderRecord;
  /** In the buyer's language. */
  readonly texts: BuyerTexts;
  readonly nowMs: number;
}

/** A file that a buyer sent. Its name and the type that the sender gave it aren't kept: only its content tells what it is. */
export interface SubmittedFile {
  readonly bytes: Buffer;
  /** It was larger than allowed, and only its beginning is here. */
  readonly isCut: boolean;
}

/** What a buyer sent. Every part of it is hostile. */
export interface SubmittedBody {
  /** The first value of each field. */
  readonly fields: ReadonlyMap<string, string>;
  /** Absent: none, or an empty one. */
  readonly file?: SubmittedFile | undefined;
}

export type Judgement =
  /**
   * `write` is stored in the same transaction as the answer. It may run again. `isWithoutFile`: the buyer's file couldn't be
   * kept, which the page says.
   */
  | {
      readonly outcome: "answered";
      readonly answer: BuyerAnswer;
      readonly write?: ((db: Database) => Promise<void>) | undefined;
      readonly isWithoutFile?: boolean | undefined;
    }
  /** Show the page again with this text. It counts as a try, unless it `isFree` because the buyer did nothing wrong. */
  | { readonly outcome: "again"; readonly problem: BuyerTextKey; readonly isFree?: boolean };

/** One way in which a buyer can show that an order is theirs. */
export interface BuyerMethod {
  readonly name: BuyerCheckMethod;
  /** Whether an order's buyer can be asked this way. Changes nothing. What fails is a reason, never an error. */
  offer(asked: AskedOrder): Promise<Offer>;
  /**
   * Start what the answer is compared with, before the link is sent. After a crash it's repeated with the same `checkId`, and must
   * then start nothing twice. What it returns is kept, encrypted. Default: nothing is to start.
   */
  begin?(asked: AskedOrder, checkId: string): Promise<Beginning>;
  /**
   * Its part of the buyer's page: one `form` to `action`.
   *
   * @param given - The fields of an answer that was just refused, so that the buyer doesn't have to write them again.
   */
  form(shown: ShownCheck, action: string, given?: ReadonlyMap<string, string>): Html;
  /** The most bytes of the file that an answer may bring, in the form's field `file`. Default: an answer brings none. */
  readonly fileBytes?: number | undefined;
  /** Judge an answer. Never throws for anything that a buyer sent. */
  judge(shown: ShownCheck, body: SubmittedBody): Promise<Judgement>;
}
