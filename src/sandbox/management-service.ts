import { randomBytes, randomUUID } from "node:crypto";
import type { IncomingMessage } from "node:http";
import { MANAGEMENT_ROUTES, type ManagementRoute } from "../management/operations.ts";
import { Refusal, toText } from "./catalog/catalog-call.ts";
import { sendOnce } from "./catalog/events.ts";
import { checkBody, readGiven } from "./catalog/read-call.ts";
import type { Records, SandboxRecord } from "./catalog/records.ts";
import { fitsPath, type Answer } from "./http.ts";

/** A record of the management interface: its fields, and lists of the records below it. */
export interface ManagementRecord {
  readonly id: string;
  readonly [field: string]: unknown;
}

/** What the management interface shows: a tree of records that follows its paths. */
export interface ManagementSeed {
  readonly me?: object | undefined;
  /** With `members`. */
  readonly workspaces?: readonly ManagementRecord[] | undefined;
  /** With `domain`, `pages`, `forms` (with `submissions`), `collections` (with `items`), `posts`, `authors` and `categories`. */
  readonly sites?: readonly ManagementRecord[] | undefined;
}

/** The management interface's part of the sandbox. */
export type SandboxManagement = ReturnType<typeof createSandboxManagement>;

/** The default seed. */
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
const webhooksOf = (records: Records) => records.of("", "management-webhook");
const deliveriesOf = (records: Records) => records.of("", "management-delivery");

type Fields = Readonly<Record<string, unknown>>;

const notFound = () => new Refusal(404, "Not Found");

function toAnswer(status: number, body: object): Answer {
  return { status, body: JSON.stringify(body) };
}

/** The interface doesn't document its errors: these are the catalog's, with this interface's flag. */
export function toManagementFailure(status: number, message: string): Answer {
  return toAnswer(status, { ok: false, message });
}

const ROUTES = Object.values(MANAGEMENT_ROUTES).flatMap(
  (group) => Object.values(group) as readonly ManagementRoute[],
);

/** Follow a path through the seed: a name leads to a list or an object, an ID to a record of a list. */
function walk(seed: ManagementSeed, segments: readonly string[]): unknown {
  let node: unknown = seed;
  for (const segment of segments.filter((name) => name !== "blog")) {
    if (Array.isArray(node)) node = (node as readonly ManagementRecord[]).find(({ id }) => id === segment);
    else node = Object.hasOwn(Object(node), segment) ? (node as ManagementRecord)[segment] : [];
    if (node === undefined) throw notFound();
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
) {
  const hooks = createWebhooks(records, now);
  return {
    /** Answer a call of a path below `/api/v1` from a caller with a known token. */
    async answer(request: IncomingMessage, segments: readonly string[]) {
      const matched = ROUTES.filter(({ path }) => fitsPath(path, segments));
      const route = matched.find(({ method }) => method === request.method);
      if (matched.length === 0) return toManagementFailure(404, "Not Found");
      if (route === undefined) return toManagementFailure(405, "Method Not Allowed");
      try {
        const given = await readGiven(request, route.body === undefined ? "download" : "call");
        const fields = route.body === undefined ? given : (checkBody(route.body, given) as Fields);
        const node =
          segments[0] === "webhooks"
            ? await hooks.carryOut(route.method, segments.slice(1), fields)
            : walk(seed, segments);
        if (route.kind === "list") return toList(node as readonly unknown[], request);
        return toAnswer(200, { ok: true, data: toShown(node) });
      } catch (error) {
        if (error instanceof Refusal) return toManagementFailure(error.status, error.message);
        throw error;
      }
    },
  };
}

/** The parts that the webhooks use. */
interface WebhookParts {
  readonly records: Records;
  readonly now: () => number;
}

const renewSecret = () => `whsec_${randomBytes(24).toString("base64url")}`;
const withoutSecret = ({ secret: _secret, ...webhook }: SandboxRecord) => webhook;

/** Send an event to a webhook, once, and record the result. */
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
  deliveriesOf(records).put(delivery, { parent: webhook.id });
  return delivery;
}

/** Carry out an action on one webhook, other than reading and changing it. */
async function actOn(
  parts: WebhookParts,
  webhook: SandboxRecord,
  { action, delivery }: { readonly action: string; readonly delivery: string | undefined },
): Promise<unknown> {
  const { records } = parts;
  if (action === "GET secret") return { secret: webhook["secret"] };
  if (action === "POST secret") {
    const secret = renewSecret();
    webhooksOf(records).put({ ...webhook, secret });
    return { secret };
  }
  if (action === "POST test") return deliver(parts, webhook, { event: "test", replayOf: null });
  const deliveries = deliveriesOf(records).list({ parent: webhook.id });
  if (delivery === undefined) return deliveries.toReversed();
  const found = deliveries.find(({ id }) => id === delivery);
  if (found === undefined) throw notFound();
  return deliver(parts, webhook, { event: toText(found["event"]), replayOf: found.id });
}

/** Webhooks with their secrets and deliveries. */
function createWebhooks(records: Records, now: () => number) {
  const webhooks = webhooksOf(records);
  const read = (id: string): SandboxRecord => {
    const webhook = webhooks.get(id);
    if (webhook === undefined) throw notFound();
    return webhook;
  };
  return {
    /** Carry out a call below `/webhooks`. */
    async carryOut(
      method: string,
      [id, what, delivery]: readonly string[],
      fields: Fields,
    ): Promise<unknown> {
      if (id === undefined) {
        if (method === "GET") return webhooks.list().toReversed().map(withoutSecret);
        const createdAt = new Date(now()).toISOString();
        const made = { ...fields, id: randomUUID(), secret: renewSecret(), createdAt };
        webhooks.put(made);
        return withoutSecret(made);
      }
      const webhook = read(id);
      if (what !== undefined) {
        return actOn({ records, now }, webhook, { action: `${method} ${what}`, delivery });
      }
      if (method === "DELETE") {
        webhooks.remove(id);
        return { id, deleted: true };
      }
      if (method === "PATCH") webhooks.put({ ...webhook, ...fields, id });
      return withoutSecret(read(id));
    },
  };
}
