import { MOST_TRIES } from "../../../src/order/buyer-check.ts";
import type { Move } from "../../../src/pipeline/order-life/moves.ts";
import type { MappedOrder } from "../../../src/platform/platform.ts";
import type { BuyerCheck } from "../../../src/store/buyer-checks/buyer-check.ts";
import {
  CHANGED,
  CHECK,
  decided,
  HELD,
  INQUIRY,
  OVERDUE,
  WARNED,
  type Changes,
} from "../../support/situations.ts";
import { mapped, T0 } from "../../store/samples.ts";

/** A name, the situation, and its move. */
export type Case = readonly [when: string, changes: Changes, move: Partial<Move>];

const check = (changes: Partial<BuyerCheck> = {}): BuyerCheck => ({ ...CHECK, ...changes });
const RIGHT = { answer: "right", method: "earlier-address", atMs: T0 } as const;
const WRONG = { ...RIGHT, answer: "wrong" } as const;

const UNCHECKED = { ...CHANGED, rescreen: false };
/** As decided, with another phone number: no parcel goes by it. */
const WITH_PHONE = { ...UNCHECKED, mapped: withPhone() };

function withPhone(): MappedOrder {
  const known = mapped();
  if (known.outcome !== "screenable") throw new TypeError("the sample can be checked");
  return { ...known, request: { ...known.request, customerPhone: "+1 202 555 0143" } };
}

/** Held orders whose buyers are asked. */
export const BUYER_CASES: readonly Case[] = [
  [
    "a held order whose buyer is to be asked",
    { order: decided("review", { verify: "release" }), found: { observed: HELD } },
    { kind: "ask-buyer", effect: "release" },
  ],
  [
    "a held order whose buyer was asked before it was decided again",
    {
      order: decided("review", { verify: "release" }),
      buyerChecks: [check({ decidedAtMs: 1 })],
      found: { observed: HELD },
    },
    { kind: "ask-buyer" },
  ],
  [
    "a held order whose buyer was asked often enough",
    {
      order: decided("review", { verify: "release" }),
      buyerChecks: [1, 2, 3].map((decidedAtMs) => check({ decidedAtMs })),
      found: { observed: HELD },
    },
    { kind: "keep-hold" },
  ],
  [
    "a changed order whose buyer said that it isn't theirs",
    {
      order: decided("review", { verify: "release" }),
      buyerChecks: [check({ decidedAtMs: 1, answer: WRONG })],
      found: { observed: HELD },
    },
    { kind: "keep-hold" },
  ],
  [
    "a changed order whose buyer used up all tries without an answer",
    {
      order: decided("review", { verify: "release" }),
      buyerChecks: [check({ decidedAtMs: 1, tries: MOST_TRIES })],
      found: { observed: HELD },
    },
    { kind: "keep-hold" },
  ],
  [
    "a held order of a disputed payment whose buyer isn't asked",
    { order: decided("review", { verify: "release", disputed: true }), found: { observed: HELD } },
    { kind: "keep-hold" },
  ],
  [
    "a link that isn't sent",
    {
      order: decided("review", { verify: "release" }),
      buyerChecks: [check({ sendAtMs: T0 })],
      found: { observed: HELD },
    },
    { kind: "send-buyer-link" },
  ],
  [
    "a link that is sent later",
    {
      order: decided("review", { verify: "release" }),
      buyerChecks: [check({ sendAtMs: T0 + 1 })],
      found: { observed: HELD },
    },
    { kind: "keep-hold" },
  ],
  [
    "a question with a way that wasn't possible, to be tried again now",
    {
      order: decided("review", { verify: "release" }),
      buyerChecks: [check({ retryAtMs: T0 })],
      found: { observed: HELD },
    },
    { kind: "retry-buyer-methods" },
  ],
  ...(
    [
      ["later", { retryAtMs: T0 + 1 }],
      ["now, although the link expired", { retryAtMs: T0, expiresAtMs: T0 }],
    ] as const
  ).map(([which, changes]): Case => [
    `a question with a way that wasn't possible, to be tried again ${which}`,
    {
      order: decided("review", { verify: "release" }),
      buyerChecks: [check(changes)],
      found: { observed: HELD },
    },
    { kind: "keep-hold" },
  ]),
  [
    "a right answer",
    {
      order: decided("review", { verify: "release" }),
      buyerChecks: [check({ answer: RIGHT })],
      found: { observed: HELD },
    },
    { kind: "take-buyer-answer", method: "earlier-address", effect: "release" },
  ],
  [
    "a right answer at an address that shares neither card nor delivery address",
    {
      order: decided("review", { verify: "release" }),
      buyerChecks: [check({ answer: RIGHT, isStrong: false })],
      found: { observed: HELD },
    },
    { kind: "take-buyer-answer", effect: "milder" },
  ],
  ...(["release", "cancel"] as const).flatMap((onDeadline) =>
    (["wrong", "for-person"] as const).map((answer): Case => [
      `the deadline (${onDeadline}) after the answer ${answer}`,
      {
        order: { ...decided("review", { verify: "release" }), ...OVERDUE },
        steps: [WARNED],
        policy: { hold: { onDeadline } },
        buyerChecks: [check({ answer: { ...RIGHT, answer } })],
        found: { observed: HELD, noNews: true },
      },
      { kind: "keep-hold", stay: { holdable: false, overdue: "buyer" } },
    ]),
  ),
  ...(
    [
      ["that expired", { expiresAtMs: T0 }],
      ["that a person revoked", { revokedAtMs: T0 }],
    ] as const
  ).map(([which, changes]): Case => [
    `a link ${which} before it was sent`,
    {
      order: decided("review", { verify: "release" }),
      buyerChecks: [check({ sendAtMs: T0, ...changes })],
      found: { observed: HELD },
    },
    { kind: "keep-hold" },
  ]),
  [
    "a link that isn't sent while a bank asks",
    {
      order: decided("review", { verify: "release" }),
      buyerChecks: [check({ sendAtMs: T0 })],
      disputes: [INQUIRY],
      found: { observed: HELD },
    },
    { kind: "keep-hold" },
  ],
  [
    "a right answer at the deadline",
    {
      order: { ...decided("review", { verify: "release" }), ...OVERDUE },
      steps: [WARNED],
      policy: { hold: { onDeadline: "cancel" } },
      buyerChecks: [check({ answer: RIGHT })],
      found: { observed: HELD },
    },
    { kind: "take-buyer-answer" },
  ],
  [
    "a right answer about an order that was decided again since",
    {
      order: decided("review", { verify: "release" }),
      buyerChecks: [check({ decidedAtMs: 1, answer: RIGHT }), check()],
      found: { observed: HELD },
    },
    { kind: "keep-hold" },
  ],
  ...(
    [
      ["a right answer", { answer: RIGHT }],
      ["a link that isn't sent", { sendAtMs: T0 }],
    ] as const
  ).map(([which, changes]): Case => [
    `${which}, and a change that matters, which the policy doesn't check again`,
    {
      order: { ...decided("review", { verify: "release" }), revision: UNCHECKED },
      buyerChecks: [check(changes)],
      found: { observed: HELD },
    },
    { kind: "keep-hold" },
  ]),
  [
    "a right answer, and a change that doesn't matter",
    {
      order: { ...decided("review", { verify: "release" }), revision: WITH_PHONE },
      buyerChecks: [check({ answer: RIGHT })],
      found: { observed: HELD },
    },
    { kind: "take-buyer-answer" },
  ],
  [
    "a changed order that the policy doesn't check again, whose buyer wasn't asked",
    {
      order: { ...decided("review", { verify: "release" }), revision: UNCHECKED },
      found: { observed: HELD },
    },
    { kind: "keep-hold" },
  ],
  [
    "a right answer while a bank asks",
    {
      order: decided("review", { verify: "release" }),
      buyerChecks: [check({ answer: RIGHT })],
      disputes: [INQUIRY],
      found: { observed: HELD },
    },
    { kind: "keep-hold" },
  ],
  [
    "a right answer in shadow mode",
    {
      order: decided("review", { verify: "release" }),
      policy: { mode: "shadow" },
      buyerChecks: [check({ answer: RIGHT })],
    },
    { kind: "wait" },
  ],
  [
    "a wrong answer",
    {
      order: decided("review", { verify: "release" }),
      buyerChecks: [check({ answer: WRONG })],
      found: { observed: HELD },
    },
    { kind: "keep-hold" },
  ],
];
