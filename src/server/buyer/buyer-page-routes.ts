import { Router, type Request, type RequestHandler, type Response } from "express";
import { isHoldfastError } from "../../base/errors.ts";
import { NO_ASKING } from "../../buyer-check/buyer-asking.ts";
import { toShopName } from "../../buyer-check/link-message.ts";
import { isToken, isTokenOf, LINK_PATH, toTokenDigest } from "../../buyer-check/link.ts";
import type { BuyerMethod, SubmittedBody } from "../../buyer-check/method.ts";
import { chooseLanguage, toTexts } from "../../buyer-check/texts/buyer-texts.ts";
import type { BuyerTextKey } from "../../buyer-check/texts/en.ts";
import type { BuyerLanguage } from "../../order/buyer-check.ts";
import { toNetwork } from "../../order/ip-address.ts";
import { toTimelineEntry } from "../../pipeline/timeline.ts";
import type { Policy } from "../../policy/policy.ts";
import { isLinkOpen, type BuyerCheck } from "../../store/buyer-checks/buyer-check.ts";
import type { OrderRecord } from "../../store/store.ts";
import { forwardFailure } from "../http/error-response.ts";
import { sendMethodNotAllowed } from "../http/responses.ts";
import type { ServerParts } from "../parts/server-parts.ts";
import { createFailureLimiter } from "../sign-in/failure-limiter.ts";
import { sendBuyerPage, toNotePage, toQuestionPage } from "./buyer-page.ts";
import { readUpload } from "./read-upload.ts";
import { readForm, type Submitted } from "./submitted-body.ts";
import { createUploadSlots, type UploadSlots } from "./upload-slots.ts";

/**
 * Links that don't work and answers that settle nothing, per client address. Households and offices share one, so it's more than
 * one link takes.
 */
const FAILURES = { failures: 30, windowMs: 10 * 60_000 } as const;

type BuyerParts = Pick<ServerParts, "store" | "policyOf" | "buyers" | "now" | "wake" | "metrics">;

/** A link that works, and what it shows. */
interface Opened {
  readonly check: BuyerCheck;
  readonly order: OrderRecord;
  readonly policy: Policy;
  readonly language: BuyerLanguage;
}

/** The page that buyers open from a link. Reading it decides nothing and uses nothing up, whoever reads it and however often. */
export function createBuyerPageRoutes(parts: BuyerParts): RequestHandler {
  const limiter = createFailureLimiter({ ...FAILURES, now: parts.now });
  const slots = createUploadSlots({ now: parts.now });
  const router = Router({ caseSensitive: true, strict: true });

  /** Handle a request with a link that works. All others get the same page, so that nobody learns why one doesn't. */
  const withLink = (handle: (req: Request, res: Response, opened: Opened) => Promise<void>) =>
    forwardFailure(async (req, res) => {
      if (limiter.blockedUntilMs(req.ip) !== undefined)
        return sendBuyerPage(res, 429, toNotePage(readLanguage(req), ["too-many-title", "too-many"]));
      const opened = await open(parts, req);
      if (opened !== null) return handle(req, res, opened);
      limiter.fail(req.ip);
      return sendGone(req, res);
    });

  router
    .route(`${LINK_PATH}/:token`)
    .get(withLink(async (req, res, opened) => sendQuestion(parts, res, opened, `${readToken(req)}/`)))
    .all((_req, res) => sendMethodNotAllowed(res, ["GET", "HEAD"]));
  router
    .route(`${LINK_PATH}/:token/:method`)
    .post(
      withLink(async (req, res, opened) => {
        if (!(await answer({ ...parts, slots }, req, res, opened))) limiter.fail(req.ip);
      }),
    )
    .all((_req, res) => sendMethodNotAllowed(res, ["POST"]));
  return router;
}

async function open({ store, policyOf, now }: BuyerParts, req: Request): Promise<Opened | null> {
  const token = readToken(req);
  if (!isToken(token)) return null;
  const found = await store.buyerChecks.findByToken(toTokenDigest(token));
  if (found === null || !isTokenOf(store.keyring, found.check, token)) return null;
  const { check, order } = found;
  if (!isLinkOpen(check, order, now())) return null;
  const { policy } = await policyOf(check.tenant);
  return { check, order, policy, language: readLanguage(req, order, policy) };
}

function readToken({ params }: Request): string {
  const { token } = params;
  return typeof token === "string" ? token : "";
}

function readLanguage(req: Request, order?: OrderRecord, policy?: Policy): BuyerLanguage {
  const locale = order?.mapped?.context?.locale;
  return chooseLanguage(locale, req.get("accept-language"), policy?.verify.language ?? "en");
}

function sendGone(req: Request, res: Response): void {
  sendBuyerPage(res, 404, toNotePage(readLanguage(req), ["gone-title", "gone"]));
}

function listMethods({ buyers = NO_ASKING }: BuyerParts, { methods }: BuyerCheck): readonly BuyerMethod[] {
  return buyers.methods.filter(({ name }) => methods[name] === true);
}

/** What was wrong with the last answer. `fields`: what was written, for the form that was used. */
interface Refused {
  readonly problem: BuyerTextKey;
  readonly status?: number;
  readonly method: BuyerMethod;
  readonly fields: ReadonlyMap<string, string>;
}

/** @param base - Of the forms' addresses, relative to the page. */
function sendQuestion(
  parts: BuyerParts,
  res: Response,
  { check, order, policy, language }: Opened,
  base: string,
  refused?: Refused,
): void {
  const page = toQuestionPage({
    check,
    order,
    language,
    problem: refused?.problem,
    texts: toTexts(language),
    nowMs: parts.now(),
    shop: toShopName(policy, check.tenant),
    methods: listMethods(parts, check),
    toAction: ({ name }) => `${base}${name}`,
    givenTo: ({ name }) => (name === refused?.method.name ? refused.fields : undefined),
  });
  sendBuyerPage(res, refused === undefined ? 200 : (refused.status ?? 422), page);
}

/** A file that couldn't be read. */
const LOST_FILE = { bytes: Buffer.alloc(0), isCut: true } as const;

type AnswerParts = BuyerParts & { readonly slots: UploadSlots };

/** Resolves to whether the answer settled the check. */
async function answer(parts: AnswerParts, req: Request, res: Response, opened: Opened): Promise<boolean> {
  const method = listMethods(parts, opened.check).find(({ name }) => name === req.params["method"]);
  if (method === undefined) return gone(req, res);
  const submitted = await readAnswer(parts, req, opened, method);
  if (submitted.outcome === "gone") return false;
  if (submitted.outcome === "refused") {
    const { fields } = submitted;
    if (fields.get("answer") !== "no") return askAgain(parts, req, res, opened, { ...submitted, method });
    // Whatever is wrong with the file, the buyer says that the order isn't theirs.
    return take(parts, req, res, opened, { method, body: { fields, file: LOST_FILE } });
  }
  const { fields } = submitted.body;
  try {
    return await take(parts, req, res, opened, { method, body: submitted.body });
  } catch (error) {
    if (!isHoldfastError(error, "STORE_UNAVAILABLE")) throw error;
    sendQuestion(parts, res, opened, "", { problem: "not-now", status: 503, method, fields });
    return false;
  } finally {
    submitted.release();
  }
}

function readAnswer(
  { slots }: AnswerParts,
  req: Request,
  { check: { tenant, checkId } }: Opened,
  { fileBytes }: BuyerMethod,
): Promise<Submitted> {
  if (fileBytes === undefined) return readForm(req);
  return readUpload(req, {
    fileBytes,
    slots,
    sender: { tenant, checkId, address: req.ip && toNetwork(req.ip) },
  });
}

/** Show the forms again. It counts as a try, unless the buyer did nothing wrong. */
async function askAgain(
  parts: BuyerParts,
  req: Request,
  res: Response,
  opened: Opened,
  { isFree, ...refused }: Refused & { readonly isFree?: boolean | undefined },
): Promise<false> {
  const { store, now } = parts;
  if (isFree !== true && !(await store.buyerChecks.countTry(opened.check, now()))) return gone(req, res);
  sendQuestion(parts, res, opened, "", refused);
  return false;
}

async function take(
  parts: BuyerParts,
  req: Request,
  res: Response,
  opened: Opened,
  { method, body }: { readonly method: BuyerMethod; readonly body: SubmittedBody },
): Promise<boolean> {
  const { store, now, wake, metrics } = parts;
  const { check, order, policy, language } = opened;
  const shown = { check, order, texts: toTexts(language), nowMs: now() };
  const judged = await method.judge(shown, body);
  if (judged.outcome === "again")
    return askAgain(parts, req, res, opened, { ...judged, method, fields: body.fields });
  const event = { kind: "buyer-answered", answer: judged.answer, method: method.name } as const;
  const entry = toTimelineEntry(now(), event, `${judged.answer}: ${method.name}`, "buyer");
  const given = { answer: judged.answer, method: method.name, entry };
  if ((await store.buyerChecks.answer(check, given, judged.write)) === "gone") return gone(req, res);
  metrics.buyer(judged.answer);
  wake?.();
  const shop = toShopName(policy, check.tenant);
  const thanks = judged.isWithoutFile === true ? "thanks-without-file" : "thanks";
  sendBuyerPage(res, 200, toNotePage(language, ["thanks-title", thanks], { shop }));
  return true;
}

function gone(req: Request, res: Response): false {
  sendGone(req, res);
  return false;
}
