import { randomBytes, randomUUID } from "node:crypto";
import type { IncomingMessage } from "node:http";
import { toFieldProblems } from "../order/request.ts";
import { MANAGEMENT_ROUTES, type ManagementRoute } from "../management/operations.ts";
import { toText } from "./catalog/catalog-call.ts";
import { sendOnce } from "./catalog/events.ts";
import type { Records, SandboxRecord } from "./catalog/records.ts";
import { fitsPath, readBody, type Answer } from "./http.ts";

/** A record of the management interface: its fields, and lists of the records below it. */
export interface ManagementRecord {
  readonly id: string;
  readonly [field: string]: unknown;
}

/** What the management interface shows: a tree of records, as its paths have it. */
export interface ManagementSeed {
  readonly me?: object | undefined;
  /** With `members`. */
  readonly workspaces?: readonly ManagementRecord[] | undefined;
  /** With `domain`, `pages`, `forms` (with `submissions`), `collections` (with `items`), `posts`, `authors` and `categories`. */
  readonly sites?: readonly ManagementRecord[] | undefined;
}

/** The management interface's part of the sandbox. */
export interface SandboxManagement {
  /** Answer a call of a path behind `/api/v1` by a caller whose token is known. */
  answer(request: IncomingMessage, segments: readonly string[]): Promise<Answer>;
}

/** What a sandbox has when it is given nothing. */
const DEFAULT_SEED: ManagementSeed = {
  me: { id: "user_sandbox", name: "Sandbox", email: "sandbox@example.com" },
  workspaces: [
    {
      id: "ws_sandbox",
      name: "Sandbox",
      plan: "free",
      members: [{ id: "user_sandbox", name: "Sandbox", email: "sandbox@example.com", role: "owner" }],
    },
  ],
  sites: [
    {
      id: "site_sandbox",
      name: "Sandbox Site",
      domain: { domain: "sandbox.example.com" },
      pages: [{ id: "page_home", title: "Home" }],
      forms: [
        {
          id: "form_contact",
          name: "Contact",
          submissions: [
            { id: "sub_1", submittedAt: "2026-01-05T10:00:00.000Z", fields: { message: "made up" } },
            { id: "sub_2", submittedAt: "2026-02-05T10:00:00.000Z", fields: { message: "made up" } },
          ],
        },
      ],
      collections: [{ id: "col_faq", name: "FAQ", items: [{ id: "item_1", title: "Shipping" }] }],
      posts: [{ id: "post_1", title: "Hello" }],
      authors: [{ id: "author_1", name: "Sandbox" }],
      categories: [{ id: "category_1", name: "News" }],
    },
  ],
};

const PAGE_SIZE = 20;
const WEBHOOKS = { organization: "", kind: "management-webhook" };
const DELIVERIES = { organization: "", kind: "management-delivery" };

class NotFound extends Error {}

function toAnswer(status: number, body: object): Answer {
  return { status, body: JSON.stringify(body) };
}

/** Errors of this interface are not shown: these are the catalog's, with this interface's flag. */
export function toManagementFailure(status: number, message: string): Answer {
  return toAnswer(status, { ok: false, message });
}

const ROUTES = Object.values(MANAGEMENT_ROUTES).flatMap(
  (group) => Object.values(group) as readonly ManagementRoute[],
);

/** Walk down the seed: a name leads to a list or an object, an id to a record of the list. */
function walk(seed: ManagementSeed, segments: readonly string[]): unknown {
  let node: unknown = seed;
  for (const segment of segments.filter((name) => name !== "blog")) {
    if (Array.isArray(node)) node = (node as readonly ManagementRecord[]).find(({ id }) => id === segment);
    else node = Object.hasOwn(Object(node), segment) ? (node as ManagementRecord)[segment] : [];
    if (node === undefined) throw new NotFound();
  }
  return node;
}

/** A record without the lists below it. */
function toShown(node: unknown): unknown {
  if (typeof node !== "object" || node === null) return node;
  return Object.fromEntries(
    Object.entries(node).filter(([name, value]) => !Array.isArray(value) || name === "events"),
  );
}

function toList(entries: readonly unknown[], request: IncomingMessage): Answer {
  const query = new URL(request.url ?? "", "http://sandbox").searchParams;
  const page = Number(query.get("page") ?? 1);
  const perPage = Number(query.get("perPage") ?? PAGE_SIZE);
  if (!(Number.isSafeInteger(page) && page >= 1 && Number.isSafeInteger(perPage) && perPage >= 1)) {
    return toManagementFailure(400, "page, perPage: expected a whole number of 1 or more");
  }
  const data = entries.slice((page - 1) * perPage, page * perPage).map((entry) => toShown(entry));
  const meta = { page, perPage, total: entries.length, totalPages: Math.ceil(entries.length / perPage) };
  return toAnswer(200, { ok: true, data, meta });
}

/** Create the {@link SandboxManagement}. Its webhooks are kept with the catalog's records. */
export function createSandboxManagement(
  records: Records,
  { seed = DEFAULT_SEED, now }: { readonly seed?: ManagementSeed | undefined; readonly now: () => number },
): SandboxManagement {
  const hooks = createWebhooks(records, now);
  return {
    async answer(request, segments) {
      const matched = ROUTES.filter(({ path }) => fitsPath(path, segments));
      const route = matched.find(({ method }) => method === request.method);
      if (matched.length === 0) return toManagementFailure(404, "Not Found");
      if (route === undefined) return toManagementFailure(405, "Method Not Allowed");
      try {
        const body = await readJson(request, route);
        if ("problem" in body) return toManagementFailure(400, body.problem);
        const node =
          segments[0] === "webhooks"
            ? await hooks.carryOut(request.method ?? "", segments.slice(1), body.fields)
            : walk(seed, segments);
        if (route.kind === "list") return toList(node as readonly unknown[], request);
        return toAnswer(200, { ok: true, data: toShown(node) });
      } catch (error) {
        if (error instanceof NotFound) return toManagementFailure(404, "Not Found");
        throw error;
      }
    },
  };
}

type ReadFields = { readonly fields: Readonly<Record<string, unknown>> } | { readonly problem: string };

async function readJson(request: IncomingMessage, route: ManagementRoute): Promise<ReadFields> {
  const read = await readBody(request);
  const schema = route.body;
  if (schema === undefined) return { fields: {} };
  let given: unknown;
  try {
    given = read.outcome === "read" ? JSON.parse(read.text) : undefined;
  } catch {
    return { problem: "expected a JSON object" };
  }
  const parsed = schema.safeParse(given);
  if (parsed.success) return { fields: parsed.data as Readonly<Record<string, unknown>> };
  const problems = toFieldProblems(parsed.error).map(({ path, message }) => `${path}: ${message}`);
  return { problem: problems.join("; ") };
}

/** What the webhooks work with. */
interface WebhookParts {
  readonly records: Records;
  readonly now: () => number;
}

const renewSecret = () => `whsec_${randomBytes(24).toString("base64url")}`;
const withoutSecret = ({ secret: _secret, ...webhook }: SandboxRecord) => webhook;

/** Send an event to a webhook, once, and keep what came of it. */
async function deliver(
  { records, now }: WebhookParts,
  webhook: SandboxRecord,
  { event, replayOf }: { readonly event: string; readonly replayOf: string | null },
): Promise<object> {
  const id = randomUUID();
  const sentAt = new Date(now()).toISOString();
  const body = { webhookId: webhook.id, deliveryId: id, event };
  const status = await sendOnce(String(webhook["url"]), "POST", body);
  const delivery = { id, event, status, sentAt, replayOf };
  records.put(DELIVERIES, delivery, { parent: webhook.id });
  return delivery;
}

/** Carry out what is asked of one webhook beyond reading and changing it. */
async function actOn(
  parts: WebhookParts,
  webhook: SandboxRecord,
  { action, delivery }: { readonly action: string; readonly delivery: string | undefined },
): Promise<unknown> {
  const { records } = parts;
  if (action === "GET secret") return { secret: webhook["secret"] };
  if (action === "POST secret") {
    const secret = renewSecret();
    records.put(WEBHOOKS, { ...webhook, secret });
    return { secret };
  }
  if (action === "POST test") return deliver(parts, webhook, { event: "test", replayOf: null });
  const deliveries = records.list(DELIVERIES, { parent: webhook.id });
  if (delivery === undefined) return deliveries.toReversed();
  const found = deliveries.find(({ id }) => id === delivery);
  if (found === undefined) throw new NotFound();
  return deliver(parts, webhook, { event: toText(found["event"]), replayOf: found.id });
}

/** Webhooks with their secrets and deliveries. */
function createWebhooks(records: Records, now: () => number) {
  const read = (id: string): SandboxRecord => {
    const webhook = records.get(WEBHOOKS, id);
    if (webhook === undefined) throw new NotFound();
    return webhook;
  };
  return {
    /** Carry out a call behind `/webhooks`. */
    async carryOut(
      method: string,
      [id, what, delivery]: readonly string[],
      fields: Readonly<Record<string, unknown>>,
    ): Promise<unknown> {
      if (id === undefined) {
        if (method === "GET") return records.list(WEBHOOKS).toReversed().map(withoutSecret);
        const createdAt = new Date(now()).toISOString();
        const made = { ...fields, id: randomUUID(), secret: renewSecret(), createdAt };
        records.put(WEBHOOKS, made);
        return withoutSecret(made);
      }
      const webhook = read(id);
      if (what !== undefined) {
        return actOn({ records, now }, webhook, { action: `${method} ${what}`, delivery });
      }
      if (method === "DELETE") {
        records.remove(WEBHOOKS, id);
        return { id, deleted: true };
      }
      if (method === "PATCH") records.put(WEBHOOKS, { ...webhook, ...fields, id });
      return withoutSecret(read(id));
    },
  };
}
