import { z } from "zod";
import { refusalOf } from "../../../base/refusals.ts";
import { expected, toFieldProblem } from "../../../base/field-codes.ts";
import { raiseNotice } from "../../../base/notices.ts";
import type { OrderKey } from "../../../store/store.ts";
import { CONSOLE_ACTOR } from "../../../store/people/person.ts";
import { handleRoutes, type CallOf, type RouteDefinitions } from "../../http/api-route.ts";
import { ProblemError } from "../../http/responses.ts";
import type { ServerParts } from "../../parts/server-parts.ts";
import { isAtLeast } from "../../../store/people/person.ts";
import { noteAct } from "../base/note-access.ts";
import {
  answerOrder,
  findOrder,
  fullOrderJson,
  UNKNOWN_ORDER,
  type OrderDetailParts,
} from "./order-details.ts";

type OrderNoteParts = OrderDetailParts & Pick<ServerParts, "logger">;

const MAX_NOTE_LENGTH = 500;
export const noteText = z.string().max(MAX_NOTE_LENGTH, expected("max-characters", { max: MAX_NOTE_LENGTH }));
const MAX_MENTIONS = 20;
const person = z.string().regex(/^person:[^\p{Cc}\p{Cs}]{1,200}$/u, expected("person"));

export const ERASED = refusalOf(409, "note-erased");

const common = { role: "reviewer", answers: { 200: fullOrderJson }, problems: [409, 412] } as const;

const ORDER_NOTE_ROUTES = {
  "POST /orders/:orderId/note": {
    ...common,
    id: "noteOrder",
    summary: "Save a note with the order, until its content is erased.",
    body: z.strictObject({
      note: noteText.refine((text) => text.trim() !== "", expected("not-blank")),
      mentions: z
        .array(person)
        .max(MAX_MENTIONS, expected("max-people", { max: MAX_MENTIONS }))
        .optional()
        .describe("the people that it mentions, as `person:ID`"),
    }),
  },
  "PUT /orders/:orderId/assignee": {
    ...common,
    id: "assignOrder",
    summary: "Say who should review the order. Others can still decide.",
    body: z.strictObject({ assignee: person.nullable().describe("`person:ID`; null for nobody") }),
    problems: [],
  },
  "PUT /orders/:orderId/draft": {
    id: "keepDraft",
    summary: "Keep the note that you are writing about the order, for you alone. Blank text drops it.",
    role: "reviewer",
    body: z.strictObject({ note: noteText }),
    answers: { 204: null },
    problems: [409],
  },
  "GET /drafts": {
    id: "listDrafts",
    summary: "List the notes that you haven't saved yet.",
    role: "viewer",
    answers: { 200: z.object({ drafts: z.record(z.string(), z.string()).describe("by order ID") }) },
  },
} satisfies RouteDefinitions;

type Call<Route extends keyof typeof ORDER_NOTE_ROUTES> = CallOf<typeof ORDER_NOTE_ROUTES, Route>;

/** What people write about an order, and who should review it. */
export function createOrderNoteRoutes(parts: OrderNoteParts) {
  return handleRoutes(ORDER_NOTE_ROUTES, {
    "POST /orders/:orderId/note": (call) => addNote(parts, call),
    "PUT /orders/:orderId/assignee": (call) => assign(parts, call),
    async "PUT /orders/:orderId/draft"({ session, params, body, answer }) {
      const text = body.note.trim() === "" ? null : body.note;
      const key = { tenant: session.tenant, orderId: params.orderId };
      const kept = await parts.store.reviews.keepDraft(key, {
        actor: session.actor,
        text,
        atMs: parts.now(),
      });
      if (kept === "unknown") throw new ProblemError(UNKNOWN_ORDER);
      if (kept === "erased") throw new ProblemError(ERASED);
      answer(204, undefined);
    },
    async "GET /drafts"({ session: { tenant, actor }, answer }) {
      answer(200, { drafts: Object.fromEntries(await parts.store.reviews.listDrafts(tenant, actor)) });
    },
  });
}

async function addNote(parts: OrderNoteParts, call: Call<"POST /orders/:orderId/note">): Promise<void> {
  const { store, now, logger } = parts;
  const { session, body } = call;
  const order = await findOrder(parts, call);
  const { tenant, orderId } = order;
  const { actor } = session;
  await refuseUnknown(parts, tenant, "mentions", body.mentions ?? []);
  await noteAct(parts, session, "note", orderId);
  const mentions = body.mentions === undefined ? {} : { mentions: [...new Set(body.mentions)] };
  const entry = { atMs: now(), kind: "note", detail: "", actor, note: body.note.trim(), ...mentions };
  const noted = await store.reviews.note({ tenant, orderId }, entry);
  if (noted === "unknown") throw new ProblemError(UNKNOWN_ORDER);
  if (noted === "erased") throw new ProblemError(ERASED);
  logger.info({ tenant, orderId, act: "note", actor }, "a person left a note");
  for (const to of mentions.mentions ?? [])
    noticeColleague(parts, { ...order, by: actor, to, reason: "mentioned" });
  return answerOrder(parts, call, await findOrder(parts, call));
}

async function assign(parts: OrderNoteParts, call: Call<"PUT /orders/:orderId/assignee">): Promise<void> {
  const { store, now } = parts;
  const { session, body } = call;
  const order = await findOrder(parts, call);
  await refuseUnknown(parts, order.tenant, "assignee", body.assignee === null ? [] : [body.assignee]);
  await noteAct(parts, session, "assign", order.orderId);
  const { assignee: to } = body;
  const former = (await store.reviews.listMarks(order.tenant, [order.orderId])).get(order.orderId);
  await store.reviews.assign(order, { to, by: session.actor, atMs: now() });
  if (to !== null && to !== former?.assignee)
    noticeColleague(parts, { ...order, by: session.actor, to, reason: "assigned" });
  return answerOrder(parts, call, await findOrder(parts, call));
}

/** What people do for themselves is no news. */
function noticeColleague(
  { logger }: OrderNoteParts,
  { tenant, orderId, by, to, reason }: OrderKey & Record<"by" | "to" | "reason", string>,
): void {
  if (to !== by)
    raiseNotice(logger, { event: "assigned", tenant, orderId, to, reason }, "an order is for a colleague");
}

/** @throws {ProblemError} 422 if somebody isn't a person of the tenant who can decide on orders, or was removed. */
async function refuseUnknown(
  { store }: OrderNoteParts,
  tenant: string,
  path: string,
  actors: readonly string[],
): Promise<void> {
  const others = actors.filter((actor) => actor !== CONSOLE_ACTOR);
  if (others.length === 0) return;
  const known = new Map((await store.people.list(tenant)).map((one) => [one.actor, one]));
  const isIn = (actor: string): boolean => {
    const person = known.get(actor);
    return person !== undefined && person.revokedAtMs === null && isAtLeast(person.role, "reviewer");
  };
  if (others.every(isIn)) return;
  const errors = [toFieldProblem(path, "deciding-people")];
  throw new ProblemError({ ...refusalOf(422, "mention-unknown"), errors });
}
