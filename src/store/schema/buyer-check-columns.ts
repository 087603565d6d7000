import type { Types } from "./column-types.ts";
import type {
  BuyerAnswer,
  BuyerCheckMethod,
  BuyerFileType,
  LinkRoute,
  RightAnswer,
} from "../../order/buyer-check.ts";

/** One question to an order's buyer. */
export interface BuyerCheckColumns {
  check_id: string;
  /** Digest of the link's token. */
  token_digest: string;
  /** The decision that it's about. */
  decided_at: number;
  effect: RightAnswer;
  /** 0: an answer at the earlier order's address releases no hold. */
  is_strong: number;
  /** JSON: for each method, `true` or why it isn't offered. */
  methods: string;
  route: LinkRoute;
  /** Sealed JSON: where the link goes. Null once erased. */
  recipient: Uint8Array | null;
  /** Keyed digest of the mail address in `recipient`, to erase it with its owner. Null with it, and for a phone number. */
  recipient_digest: string | null;
  /** Sealed JSON: what methods keep to judge an answer. Null once erased. */
  kept: Uint8Array | null;
  asked_at: number;
  expires_at: number;
  /** When to send the link next; null if nothing is left to send. */
  send_at: number | null;
  sends: number;
  /** When to try methods again that weren't possible for now; null if nothing is left to try. */
  retry_at: number | null;
  retries: number;
  sent_at: number | null;
  problem: string | null;
  tries: number;
  answered_at: number | null;
  answer: BuyerAnswer | null;
  method: BuyerCheckMethod | null;
  revoked_at: number | null;
}

/** What a buyer sent to show that an order is theirs. */
export interface BuyerEvidenceColumns {
  check_id: string;
  at: number;
  /** Sealed; null without a note. */
  note: Uint8Array | null;
  /** Null without a file. */
  type: BuyerFileType | null;
  /** Sealed; null without a file. */
  file: Uint8Array | null;
  /** Of the file, in bytes; 0 without one. */
  size: number;
}

/** A small amount on a card, whose text shows a code to the card's holder. The row is deleted once the amount is given back. */
export interface CardCodeColumns {
  check_id: string;
  /** The payment platform's ID of the amount. */
  reference: string;
  /** When to look next whether to give it back. */
  due_at: number;
  /** How often giving it back failed. */
  failures: number;
}

/** What buyers of held orders were asked. */
export function createBuyerChecks({ text, bytes }: Types): readonly string[] {
  return [
    `create table buyer_checks (
      tenant ${text} not null, order_id ${text} not null, check_id ${text} not null, token_digest ${text} not null,
      decided_at bigint not null, effect ${text} not null,
      is_strong integer not null, methods ${text} not null, route ${text} not null, recipient ${bytes},
      recipient_digest ${text}, kept ${bytes}, asked_at bigint not null, expires_at bigint not null,
      send_at bigint, sends integer not null, retry_at bigint, retries integer not null, sent_at bigint, problem ${text},
      tries integer not null, answered_at bigint, answer ${text}, method ${text}, revoked_at bigint,
      constraint buyer_checks_key primary key (tenant, order_id, check_id), constraint buyer_checks_order
      foreign key (tenant, order_id) references orders (tenant, order_id))`,
    // One question about one decision.
    "create unique index buyer_checks_of_decision on buyer_checks (tenant, order_id, decided_at)",
    "create unique index buyer_checks_token on buyer_checks (token_digest)",
    "create index buyer_checks_recipient on buyer_checks (tenant, recipient_digest) where recipient_digest is not null",
    "create index buyer_checks_age on buyer_checks (tenant, asked_at)",
    `create table buyer_evidence (
      tenant ${text} not null, order_id ${text} not null, check_id ${text} not null, at bigint not null, note ${bytes},
      type ${text}, size integer not null, file ${bytes},
      constraint buyer_evidence_key primary key (tenant, order_id, check_id), constraint buyer_evidence_order
      foreign key (tenant, order_id) references orders (tenant, order_id))`,
    `create table card_codes (
      tenant ${text} not null, order_id ${text} not null, check_id ${text} not null, reference ${text} not null,
      due_at bigint not null, failures integer not null,
      constraint card_codes_key primary key (tenant, order_id, check_id), constraint card_codes_order
      foreign key (tenant, order_id) references orders (tenant, order_id))`,
    "create index card_codes_due on card_codes (tenant, due_at)",
    // Answers how much room a tenant's files take, without reading them.
    "create index buyer_evidence_size on buyer_evidence (tenant, size) where size > 0",
  ];
}
