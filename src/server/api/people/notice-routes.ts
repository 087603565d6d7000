import { randomInt, randomUUID } from "node:crypto";
import { z } from "zod";
import { refusalOf } from "../../../base/refusals.ts";
import {
  parseNoticeSettings,
  toNoticeContent,
  toOwnContacts,
  type NoticeSettings,
} from "../../../settings/notice-settings.ts";
import { Secret } from "../../../base/secret.ts";
import { CONSOLE_ACTOR } from "../../../store/people/person.ts";
import { toFieldProblem, type FieldProblem } from "../../../base/field-codes.ts";
import { handleRoutes, type ApiSession, type CallOf, type RouteDefinitions } from "../../http/api-route.ts";
import { ProblemError } from "../../http/responses.ts";
import type { Installation, ServerParts } from "../../parts/server-parts.ts";
import { noteAct } from "../base/note-access.ts";
import { checkWebhookUrl, isOperators } from "../base/webhook-url.ts";
import {
  noticesChange,
  noticesJson,
  testJson,
  toNoticesJson,
  toTestJson,
  type NoticesChange,
} from "./notice-json.ts";

const HOUR_MS = 3_600_000;
/** Each test connects to an address that a person chose, and codes can be guessed. */
const TRIES_HOURLY = 20;
const TEST_TIMEOUT_MS = 15_000;

const NOTICE_ROUTES = {
  "GET /notices": {
    id: "showNotices",
    summary: "Show what you are notified of, and where.",
    role: "viewer",
    answers: { 200: noticesJson },
  },
  "PUT /notices": {
    id: "changeNotices",
    summary: "Change what you are notified of, and where. Omitted settings don't change.",
    role: "viewer",
    body: noticesChange,
    answers: { 200: noticesJson },
    problems: [429],
  },
  "POST /notices/test": {
    id: "testNotice",
    summary:
      "Send a test message to your saved address, and show what happened. A new email address gets a code to confirm it.",

    role: "viewer",
    body: z.strictObject({ channel: z.enum(["email", "webhook"]) }),
    answers: { 200: testJson },
    problems: [409, 429],
  },
} satisfies RouteDefinitions;

type Call<Route extends keyof typeof NOTICE_ROUTES> = CallOf<typeof NOTICE_ROUTES, Route>;

/** What each person is notified of. Nobody sees or changes another's. */
export function createNoticeRoutes(parts: ServerParts) {
  return handleRoutes(NOTICE_ROUTES, {
    "GET /notices": (call) => show(parts, call),
    "PUT /notices": (call) => change(parts, call),
    "POST /notices/test": (call) => test(parts, call),
  });
}

async function show(
  { store, installation }: ServerParts,
  { session, answer }: Pick<Call<"GET /notices">, "session" | "answer">,
): Promise<void> {
  answer(200, toNoticesJson(await store.notices.load(session), installation.canMail));
}

async function change(parts: ServerParts, call: Call<"PUT /notices">): Promise<void> {
  const { store, installation, now, logger } = parts;
  const { session, body } = call;
  const { tenant, actor } = session;
  if (body.emailCode !== undefined) await takeTry(parts, session, "code");
  const next = toNext(parseNoticeSettings(await store.notices.load(session)), body);
  const isCodeWrong = body.emailCode !== undefined && next.emailCode !== null;
  const errors = [
    // An address on this machine is the operator's alone, not their colleagues'.
    ...checkWebhookUrl(
      actor === CONSOLE_ACTOR && isOperators(installation, tenant),
      "webhookUrl",
      body.webhookUrl,
    ),
    ...findMissing(next, installation),
    ...(isCodeWrong ? [toFieldProblem("emailCode", "code-wrong")] : []),
  ];
  if (errors.length > 0) throw new ProblemError({ ...refusalOf(422, "notices-invalid"), errors });
  await noteAct(parts, session, "settings", "notices");
  // What failed at an earlier address says nothing about this one.
  const changed = [
    ...(body.email === undefined ? [] : ["email"]),
    ...(body.webhookUrl === undefined ? [] : ["webhook"]),
  ];
  await store.notices.save({ tenant, actor }, toNoticeContent(next), now(), changed);
  logger.info({ tenant, actor }, "a person's notices were saved");
  await show(parts, call);
}

/** Where notices should go, but can't. */
function findMissing(
  { events, email, webhookUrl }: NoticeSettings,
  { canMail }: Installation,
): readonly FieldProblem[] {
  const chosen = Object.values(events).flat();
  const problems: FieldProblem[] = [];
  if (email !== null && !canMail) problems.push(toFieldProblem("email", "mail-server-missing"));
  if (email === null && chosen.includes("email")) problems.push(toFieldProblem("email", "email-needed"));
  if (webhookUrl === null && chosen.includes("webhook"))
    problems.push(toFieldProblem("webhookUrl", "webhook-needed"));
  return problems;
}

function toNext(current: NoticeSettings, change: NoticesChange): NoticeSettings {
  const { events = current.events, email = current.email, isEmbedded = current.isEmbedded } = change;
  const { webhookUrl: url, language = current.language } = change;
  const webhookUrl = url == null ? (url === null ? null : current.webhookUrl) : new Secret(url);
  return {
    events,
    email,
    emailCode: toCode(current, email, change.emailCode),
    webhookUrl,
    isEmbedded,
    language,
  };
}

/** The code that is still to be entered; null if the address is confirmed. */
function toCode(current: NoticeSettings, email: string | null, entered: string | undefined): string | null {
  if (email === null) return null;
  if (email !== current.email) return String(randomInt(10_000_000, 100_000_000));
  return entered?.replaceAll(/\s/g, "") === current.emailCode ? null : current.emailCode;
}

async function test(parts: ServerParts, call: Call<"POST /notices/test">): Promise<void> {
  const { session, body, answer } = call;
  const settings = parseNoticeSettings(await parts.store.notices.load(session));
  const contacts = toOwnContacts(settings, body.channel);
  if (contacts === null) throw new ProblemError(refusalOf(409, "notice-address-missing"));
  await takeTry(parts, session, "test");
  const code = body.channel === "email" ? settings.emailCode : null;
  const signal = AbortSignal.timeout(TEST_TIMEOUT_MS);
  const delivery = await parts.tryNotice(session.tenant, contacts, signal, code);
  if (delivery === null) throw new ProblemError(refusalOf(409, "mail-server-missing"));
  const { tenant, actor } = session;
  const problem = delivery.outcome === "failed" ? delivery.problem : null;
  const atMs = parts.now();
  await parts.store.notices.noteProblem(
    { tenant, actor },
    body.channel,
    problem === null ? null : { problem, atMs },
  );
  answer(200, toTestJson(delivery));
}

async function takeTry(
  { store, now }: ServerParts,
  { tenant, actor }: ApiSession,
  what: "test" | "code",
): Promise<void> {
  const nowMs = now();
  const name = `notice-${what}:${actor}`;
  const quota = { tenant, name, key: randomUUID(), nowMs, sinceMs: nowMs - HOUR_MS };
  if (await store.ledger.takeQuota({ ...quota, max: TRIES_HOURLY })) return;
  throw new ProblemError(refusalOf(429, "notice-limit", { max: TRIES_HOURLY }), { "Retry-After": "600" });
}
