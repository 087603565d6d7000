import type { IncomingMessage } from "node:http";
import type { CATALOG_OPERATIONS } from "../../catalog/operations/catalog-operations.ts";
import type { Operation } from "../../catalog/operations/operation.ts";
import type { CreditBalances } from "../credits.ts";
import { answerRefusal, checkBody, refuseBody, toFailure, toSuccess, type Answer } from "../http.ts";
import {
  WithMessage,
  type CatalogCall,
  type CatalogChoices,
  type CatalogHandler,
  type CatalogHandlers,
} from "./catalog-call.ts";
import { toCsvDownload } from "./csv-export.ts";
import { createEventSender } from "./events.ts";
import { FILE_HANDLERS } from "./files.ts";
import { createJobEngine, type JobEngine, type JobEngineParts } from "./job-engine.ts";
import { JOB_HANDLERS } from "./jobs.ts";
import { NAME_HANDLERS } from "./names.ts";
import { checkNarrowly } from "./narrow-limits.ts";
import { PRODUCT_HANDLERS } from "./products.ts";
import { readGiven, type NamedOperation, type PathMatch } from "./read-call.ts";
import type { Records } from "./records.ts";
import { WEBHOOK_HANDLERS } from "./webhooks.ts";

export type SandboxCatalog = ReturnType<typeof createSandboxCatalog>;

export interface SandboxCatalogParts {
  readonly records: Records;
  readonly balances: CreditBalances;
  readonly choices?: Partial<CatalogChoices> | undefined;
  readonly now: () => number;
}

const HANDLERS: CatalogHandlers<keyof typeof CATALOG_OPERATIONS> = {
  ...PRODUCT_HANDLERS,
  ...NAME_HANDLERS,
  ...JOB_HANDLERS,
  ...FILE_HANDLERS,
  ...WEBHOOK_HANDLERS,
};
const DEFAULTS: CatalogChoices = {
  duplicateStatus: 409,
  stopErrorStatus: 400,
  overLimit: "refuse",
  payloadKey: "data",
  itemMs: 1_000,
};

export function createSandboxCatalog({ records, balances, now, ...rest }: SandboxCatalogParts) {
  const choices = { ...DEFAULTS, ...rest.choices };
  const events = createEventSender(records, choices.payloadKey);
  const creditsOf = (organization: string) => balances.of(organization);
  const jobs = createJobEngine({ records, creditsOf, send: events.send, itemMs: choices.itemMs, now });
  let timer: NodeJS.Timeout | undefined;

  /** Advance jobs and notify their receivers, even if no calls come in. */
  function advance(): void {
    jobs.advance();
    clearTimeout(timer);
    const nextAtMs = jobs.nextAtMs;
    if (nextAtMs === undefined) return;
    timer = setTimeout(advance, Math.max(10, nextAtMs - now())).unref();
  }

  const parts = { records, choices, jobs, creditsOf, now };

  return {
    /** Answer a call of a path below `/api/{organization}`. */
    async answer(request: IncomingMessage, organization: string, match: PathMatch) {
      advance();
      const method = match.found[0]?.operation.method ?? "POST";
      if (request.method !== method) return toFailure(405, "Method Not Allowed", { Allow: method });
      try {
        return await carryOut(request, { organization, match }, parts);
      } catch (error) {
        return answerRefusal(error);
      } finally {
        advance();
      }
    },
    advance,
    /** Events that were sent, or that the sandbox tried to send. */
    deliveries: events.deliveries,
    settled: () => events.settled(),
    close: () => clearTimeout(timer),
  };
}

interface CallParts extends Pick<JobEngineParts, "records" | "creditsOf" | "now"> {
  readonly choices: CatalogChoices;
  readonly jobs: JobEngine;
}

async function carryOut(
  request: IncomingMessage,
  { organization, match }: { readonly organization: string; readonly match: PathMatch },
  { records, creditsOf, jobs, choices, now }: CallParts,
): Promise<Answer> {
  const kind = match.found[0]?.operation.kind ?? "call";
  const given = await readGiven(request, kind);
  const { name, operation } = chooseAction(match.found, given);
  const body = checkBody(operation.body, prepare(name, operation, { given, choices }));
  checkNarrowly(name, body as Readonly<Record<string, unknown>>);
  const call: CatalogCall = {
    organization,
    id: match.id,
    body,
    records: (of) => records.of(organization, of),
    jobs: jobs.of(organization),
    credits: creditsOf(organization),
    choices,
    nowMs: now(),
  };
  if (kind === "download") {
    return toCsvDownload(call, name.startsWith("brand") ? "brandJobs" : "categoryJobs");
  }
  const data = await findHandler(name)(call);
  if (data instanceof WithMessage) {
    return { status: 200, body: JSON.stringify({ success: true, message: data.message, data: data.data }) };
  }
  return operation.bare === true ? { status: 200, body: JSON.stringify(data) } : toSuccess(data);
}

/** The handler gets only bodies that were checked against the operation's schema. */
function findHandler(name: string): CatalogHandler<unknown> {
  const [group = "", action = ""] = name.split(".");
  const handlers = HANDLERS as Readonly<Record<string, Readonly<Record<string, CatalogHandler<unknown>>>>>;
  const handler = handlers[group]?.[action];
  if (handler === undefined) throw new Error(`${name} has no handler`);
  return handler;
}

/** The operation that a body requests, for a path with several. */
function chooseAction(found: readonly NamedOperation[], given: Readonly<Record<string, unknown>>) {
  const [only] = found;
  if (found.length === 1 && only !== undefined) return only;
  const chosen = found.find(({ operation }) => operation.fixed?.["action"] === given["action"]);
  if (chosen === undefined) throw refuseBody("action: expected list, create, update or delete");
  return chosen;
}

/** Brand and category history refuse a `limit` above their maximum; elsewhere, `overLimit` decides. */
const STRICT_PAGES = new Set(["brands.enrichmentHistory", "categories.enrichmentHistory"]);

function prepare(
  name: string,
  operation: Operation,
  { given, choices }: { given: Readonly<Record<string, unknown>>; choices: CatalogChoices },
): Readonly<Record<string, unknown>> {
  const own = Object.fromEntries(
    Object.entries(given).filter(([field]) => operation.fixed === undefined || !(field in operation.fixed)),
  );
  const { limit } = own;
  if (choices.overLimit === "refuse" || typeof limit !== "number" || STRICT_PAGES.has(name)) return own;
  const fits = (size: number) => operation.body.safeParse({ ...own, limit: size }).success;
  const largest = [200, 100].find((size) => limit > size && fits(size));
  return largest === undefined ? own : { ...own, limit: largest };
}
