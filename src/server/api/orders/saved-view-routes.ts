import { randomBytes } from "node:crypto";
import { z } from "zod";
import { refusalOf } from "../../../base/refusals.ts";
import { expected, toFieldProblem } from "../../../base/field-codes.ts";
import { toIso } from "../../../base/iso-time.ts";
import { isAtLeast } from "../../../store/people/person.ts";
import {
  MOST_VIEWS,
  VIEW_LISTS,
  type SavedView,
  type ViewAct,
  type ViewSaved,
} from "../../../store/people/saved-views.ts";
import {
  handleRoutes,
  pick,
  type ApiSession,
  type CallOf,
  type RouteDefinitions,
} from "../../http/api-route.ts";
import { ProblemError } from "../../http/responses.ts";
import type { ServerParts } from "../../parts/server-parts.ts";
import { orderFilterQuery, orderSortQuery } from "./order-query.ts";

type ViewParts = Pick<ServerParts, "store" | "now">;

const MAX_NAME_LENGTH = 60;
const NAME_EXPECTED = expected("characters", { max: MAX_NAME_LENGTH });
const viewParams = z.object({ viewId: z.string().regex(/^[\w-]{1,64}$/) });

/** As in a list's address. A search isn't saved, because it may name somebody. */
const savedQuery = z
  .strictObject(orderFilterQuery.omit({ view: true, q: true }).extend(orderSortQuery.shape).shape)
  .refine((query) => Object.values(query).some((value) => value !== undefined), expected("filter-or-sort"));

const viewContent = z.strictObject({
  name: z
    .string()
    .trim()
    .min(1, NAME_EXPECTED)
    .max(MAX_NAME_LENGTH, NAME_EXPECTED)
    .regex(/^[^\p{Cc}\p{Cs}\p{Zl}\p{Zp}]*$/u, expected("line"))
    .describe("unique among the views that you see, ignoring case"),
  shared: z
    .boolean()
    .describe("true: everybody in the shop sees it, which takes a reviewer; false: only you"),
  query: savedQuery.describe("the filters and the sort, as in the query of the list"),
});
const list = z.enum(VIEW_LISTS);

const viewJson = z.object({
  viewId: z.string(),
  list,
  name: z.string(),
  shared: z.boolean(),
  query: z.record(z.string(), z.string()),
  by: z.string().nullable().describe("who saved it, as `person:ID`; null once they were removed"),
  savedAt: z.iso.datetime(),
  canChange: z.boolean().describe("whether you may change and delete it"),
});
const viewsJson = z.object({ views: z.array(viewJson) });

const common = { role: "viewer", answers: { 200: viewsJson }, problems: [409] } as const;

const SAVED_VIEW_ROUTES = {
  "GET /views": {
    id: "listViews",
    summary: "List the saved views of orders that you see: shared ones and your own.",
    role: "viewer",
    answers: { 200: viewsJson },
  },
  "POST /views": {
    ...common,
    id: "saveView",
    summary: "Save filters and sort of a list of orders under a name. Answers with all views.",
    body: viewContent.extend({ list }),
  },
  "PUT /views/:viewId": {
    ...common,
    id: "changeView",
    summary: "Change a saved view. Takes who saved it or, if it's shared, an owner.",
    params: viewParams,
    body: viewContent,
  },
  "DELETE /views/:viewId": {
    ...common,
    id: "deleteView",
    summary: "Delete a saved view. Takes who saved it or, if it's shared, an owner.",
    params: viewParams,
    problems: [],
  },
} satisfies RouteDefinitions;

type Call<Route extends keyof typeof SAVED_VIEW_ROUTES> = CallOf<typeof SAVED_VIEW_ROUTES, Route>;

export function createSavedViewRoutes(parts: ViewParts) {
  return handleRoutes(SAVED_VIEW_ROUTES, {
    "GET /views": (call) => answerViews(parts, call),
    async "POST /views"(call) {
      const { session, body } = call;
      const view = { tenant: session.tenant, viewId: randomBytes(12).toString("base64url"), list: body.list };
      const content = toContent(session, body);
      refuse(await parts.store.views.add({ ...view, ...content }, toAct(parts, session)));
      await answerViews(parts, call);
    },
    async "PUT /views/:viewId"(call) {
      const { session, body, params } = call;
      const key = { tenant: session.tenant, viewId: params.viewId };
      refuse(await parts.store.views.change(key, toContent(session, body), toAct(parts, session)));
      await answerViews(parts, call);
    },
    async "DELETE /views/:viewId"(call) {
      const { session, params } = call;
      const key = { tenant: session.tenant, viewId: params.viewId };
      refuse(await parts.store.views.remove(key, toAct(parts, session)));
      await answerViews(parts, call);
    },
  });
}

/** By name. The order of letters depends on the reader's language, so the page sorts them again. */
async function answerViews(
  { store }: ViewParts,
  { session, answer }: Pick<Call<"GET /views">, "session" | "answer">,
): Promise<void> {
  const views = await store.views.list(session.tenant, session.actor);
  const sorted = views.toSorted((one, other) => (one.name < other.name ? -1 : 1));
  answer(200, { views: sorted.map((view) => toViewJson(view, session)) });
}

function toViewJson(view: SavedView, session: ApiSession): z.infer<typeof viewJson> {
  const { isShared: shared, actor: by, savedAtMs, query } = view;
  const canChange = by === session.actor || (shared && isAtLeast(session.role, "owner"));
  return pick(viewJson, { ...view, query: { ...query }, shared, by, savedAt: toIso(savedAtMs), canChange });
}

function toContent({ role }: ApiSession, { name, shared, query }: z.output<typeof viewContent>) {
  if (shared && !isAtLeast(role, "reviewer")) throw new ProblemError(SHARING);
  const entries = Object.entries(query).flatMap(([key, value]) =>
    value === undefined ? [] : [[key, value]],
  );
  return { name, isShared: shared, query: Object.fromEntries(entries) as Readonly<Record<string, string>> };
}

function toAct({ now }: ViewParts, { actor, role }: ApiSession): ViewAct {
  return { actor, isOwner: isAtLeast(role, "owner"), atMs: now() };
}

const SHARING = refusalOf(403, "view-sharing");
const NAME_TAKEN = toFieldProblem("name", "name-taken");
const REFUSALS = {
  unknown: refusalOf(404, "view-not-found"),
  "not-theirs": refusalOf(403, "view-not-yours"),
  "name-taken": { ...refusalOf(422, "view-name-taken"), errors: [NAME_TAKEN] },
  "too-many": refusalOf(409, "view-limit", { max: MOST_VIEWS }),
} as const;

function refuse(outcome: ViewSaved | "removed"): void {
  if (outcome !== "saved" && outcome !== "removed") throw new ProblemError(REFUSALS[outcome]);
}
