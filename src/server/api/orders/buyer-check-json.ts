import { z } from "zod";
import { toIso } from "../../../base/iso-time.ts";
import {
  BUYER_ANSWERS,
  BUYER_CHECK_METHODS,
  LINK_ROUTES,
  RIGHT_ANSWERS,
  UNOFFERED_REASONS,
  type BuyerFileType,
} from "../../../order/buyer-check.ts";
import {
  isAboutNow,
  isAskable,
  isLinkOpen,
  isOffered,
  isUnsettled,
  type BuyerCheck,
} from "../../../store/buyer-checks/buyer-check.ts";
import type { BuyerEvidence } from "../../../store/buyer-checks/buyer-evidence.ts";
import type { OrderRecord } from "../../../store/store.ts";

export const recipientJson = z.object({
  kind: z.enum(["email", "phone"]),
  address: z.string(),
  ofOrder: z.string().optional().describe("the earlier order that used it; absent: it came with this order"),
});

/** `not-possible`: nobody was asked. `closed`: expired, revoked, or about an order that changed since. */
const STATES = ["open", "answered", "not-possible", "closed"] as const;

export const buyerCheckJson = z.object({
  state: z.enum(STATES),
  effect: z.enum(RIGHT_ANSWERS).describe("what a right answer does"),
  route: z.enum(LINK_ROUTES).describe("how the buyer gets the link; `reviewer`: somebody copies it"),
  recipient: recipientJson.nullable(),
  methods: z
    .array(
      z.object({
        method: z.enum(BUYER_CHECK_METHODS),
        reason: z.enum(UNOFFERED_REASONS).nullable().describe("why it isn't offered; null if it is"),
      }),
    )
    .readonly(),
  askedAt: z.iso.datetime(),
  expiresAt: z.iso.datetime(),
  sentAt: z.iso.datetime().nullable(),
  retryAt: z.iso.datetime().nullable().describe("when methods are tried again that weren't possible for now"),
  problem: z.string().nullable().describe("a code: why the link couldn't be sent"),
  tries: z.int().describe("answers that settled nothing, such as a mistyped code"),
  answer: z.enum(BUYER_ANSWERS).nullable(),
  method: z.enum(BUYER_CHECK_METHODS).nullable().describe("how the buyer answered"),
  answeredAt: z.iso.datetime().nullable(),
  isCurrent: z.boolean().describe("it's about the order as it is now"),
  asked: z.int().describe("how often the order's buyer was asked"),
});
export type BuyerCheckJson = z.infer<typeof buyerCheckJson>;

/** The second half of a file's type, which is also the ending of its name. */
const FILE_KINDS = ["jpeg", "png", "webp", "heic", "pdf"] as const satisfies readonly KindOf<BuyerFileType>[];
type KindOf<Type extends string> = Type extends `${string}/${infer Kind}` ? Kind : never;
/** HEIC only draws in some browsers. */
const PICTURES: ReadonlySet<string> = new Set<BuyerFileType>(["image/jpeg", "image/png", "image/webp"]);

function toKind(type: BuyerFileType): KindOf<BuyerFileType> {
  return type.slice(type.indexOf("/") + 1) as KindOf<BuyerFileType>;
}

export const buyerFileJson = z.object({
  id: z.string().describe("for `GET /orders/:orderId/buyer-files/:fileId`"),
  at: z.iso.datetime(),
  note: z.string().nullable().describe("what the buyer wrote; null if nothing"),
  file: z
    .object({
      kind: z.enum(FILE_KINDS).describe("by its content, whatever its sender called it"),
      size: z.int().describe("in bytes"),
      isPicture: z
        .boolean()
        .describe("a browser draws it and does nothing else with it; others are only saved"),
    })
    .nullable()
    .describe("null if the buyer sent only a note"),
});

/** What an order's buyer sent. Personal. */
export function toBuyerFileJson({ checkId, atMs, note, file }: BuyerEvidence): z.infer<typeof buyerFileJson> {
  const shown = file && {
    kind: toKind(file.type),
    size: file.size,
    isPicture: PICTURES.has(file.type),
  };
  return { id: checkId, at: toIso(atMs), note, file: shown };
}

/** The latest question to an order's buyer; null if there was none. Personal: it has an address. */
export function toBuyerCheckJson(
  checks: readonly BuyerCheck[],
  order: OrderRecord,
  nowMs: number,
): BuyerCheckJson | null {
  const [check] = checks;
  if (check === undefined) return null;
  const { effect, route, recipient, answer, problem, tries, retryAtMs } = check;
  const isRetried =
    retryAtMs !== null && isUnsettled(check, nowMs) && isAboutNow(check, order) && isAskable(order);
  return {
    state: toState(check, order, nowMs),
    effect,
    route,
    recipient,
    methods: BUYER_CHECK_METHODS.map((method) => {
      const offered = check.methods[method];
      return { method, reason: offered === true ? null : offered };
    }),
    askedAt: toIso(check.askedAtMs),
    expiresAt: toIso(check.expiresAtMs),
    sentAt: check.sentAtMs === null ? null : toIso(check.sentAtMs),
    retryAt: isRetried ? toIso(retryAtMs) : null,
    problem,
    tries,
    answer: answer?.answer ?? null,
    method: answer?.method ?? null,
    answeredAt: answer === null ? null : toIso(answer.atMs),
    isCurrent: isAboutNow(check, order),
    asked: checks.filter(({ methods }) => isOffered(methods)).length,
  };
}

function toState(check: BuyerCheck, order: OrderRecord, nowMs: number): BuyerCheckJson["state"] {
  if (!isOffered(check.methods)) return "not-possible";
  if (check.answer !== null) return "answered";
  return isLinkOpen(check, order, nowMs) ? "open" : "closed";
}
