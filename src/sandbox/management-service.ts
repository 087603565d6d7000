import { randomBytes, randomUUID } from "node:crypto";
import type { IncomingMessage } from "node:http";
import { MANAGEMENT_ROUTES, type ManagementRoute } from "../management/operations.ts";
import { sendOnce } from "./catalog/events.ts";
import { readGiven } from "./catalog/read-call.ts";
import { toText, toTime, type Records, type SandboxRecord } from "./catalog/records.ts";
import { answerRefusal, checkBody, fitsPath, toRefusal, type Answer } from "./http.ts";

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

export type SandboxManagement = ReturnType<typeof createSandboxManagement>;

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

type Fields = Readonly<Record<string, unknown>>;

function toAnswer(status: number, body: object): Answer {
  return { status, body: JSON.stringify(body) };
}

/** The interface doesn't document its errors: these are the catalog's, with this interface's flag. */
export function toManagementFailure(status: number, message: string): Answer {
  return toAnswer(status, { ok: false, message });
}

const ROUTES = Object.values(MANAGEMENT_ROUTES).flatMap((group) =>
  Object.entries(group as Readonly<Record<string, ManagementRoute>>).map(([name, route]) => ({
    name,
    ...route,
  })),
);

/** Follow a path through the seed: a name leads to a list or an object, an ID to a record of a list. */
function walk(seed: ManagementSeed, segments: readonly string[]): unknown {
  let node: unknown = seed;
  for (const segment of segments.filter((name) => name !== "blog")) {
    if (Array.isArray(node)) node = (node as readonly ManagementRecord[]).find(({ id }) => id === segment);
    else node = Object.hasOwn(Object(node), segment) ? (node as ManagementRecord)[segment] : [];
    if (node === undefined) throw toRefusal(404);
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

/** Its webhooks are kept with the catalog's records. */
export function createSandboxManagement(
  records: Records,
  { seed = DEFAULT_SEED, now }: { readonly seed?: ManagementSeed | undefined; readonly now: () => number },
) {
  return {
    /** Answer a call of a path below `/api/v1` from a caller with a known token, who sees the webhooks of `owner`. */
    async answer(request: IncomingMessage, segments: readonly string[], owner: string) {
      const webhooks = createWebhookActions(records, owner, now);
      const matched = ROUTES.filter(({ path }) => fitsPath(path, segments));
      const route = matched.find(({ method }) => method === request.method);
      if (matched.length === 0) return toManagementFailure(404, "Not Found");
      if (route === undefined) return toManagementFailure(405, "Method Not Allowed");
      try {
        const given = await readGiven(request, route.body === undefined ? "download" : "call");
        const fields = route.body === undefined ? given : (checkBody(route.body, given) as Fields);
        const [group, webhook = "", , delivery = ""] = segments;
        const node =
          group === "webhooks"
            ? await webhooks.get(route.name)?.({ ids: [webhook, delivery], fields })
            : walk(seed, segments);
        if (route.kind === "list") return toList(node as readonly unknown[], request);
        return toAnswer(200, { ok: true, data: toShown(node) });
      } catch (error) {
        return answerRefusal(error, toManagementFailure);
      }
    },
  };
}

/** One call below `/webhooks`. */
interface WebhookCall {
  /** The webhook's id, empty where the path has none; then the delivery's. */
  readonly ids: readonly [webhook: string, delivery: string];
  readonly fields: Fields;
}

const renewSecret = () => `whsec_${randomBytes(24).toString("base64url")}`;
const withoutSecret = ({ secret: _secret, ...webhook }: SandboxRecord) => webhook;

function createWebhookActions(records: Records, owner: string, now: () => number) {
  const webhooks = records.of(owner, "management-webhook");
  const deliveries = records.of(owner, "management-delivery");

  function read({ ids: [id] }: WebhookCall): SandboxRecord {
    const webhook = webhooks.get(id);
    if (webhook === undefined) throw toRefusal(404);
    return webhook;
  }

  function save(webhook: SandboxRecord): SandboxRecord {
    webhooks.put(webhook);
    return webhook;
  }

  /** Send an event to a webhook, once, and record the result. */
  async function deliver(webhook: SandboxRecord, event: string, replayOf: string | null): Promise<object> {
    const id = randomUUID();
    const sentAt = toTime(now());
    const body = { webhookId: webhook.id, deliveryId: id, event };
    const status = await sendOnce(String(webhook["url"]), "POST", body);
    const delivery = { id, event, status, sentAt, replayOf };
    deliveries.put(delivery, { parent: webhook.id });
    return delivery;
  }

  const deliveriesOf = (call: WebhookCall) => deliveries.list({ parent: read(call).id });
  const actions: Readonly<Record<keyof typeof MANAGEMENT_ROUTES.webhooks, (call: WebhookCall) => unknown>> = {
    list: () => webhooks.list().toReversed().map(withoutSecret),
    create: ({ fields }) =>
      withoutSecret(save({ ...fields, id: randomUUID(), secret: renewSecret(), createdAt: toTime(now()) })),
    get: (call) => withoutSecret(read(call)),
    update(call) {
      const webhook = read(call);
      return withoutSecret(save({ ...webhook, ...call.fields, id: webhook.id }));
    },
    delete(call) {
      const { id } = read(call);
      webhooks.remove(id);
      return { id, deleted: true };
    },
    secret: (call) => ({ secret: read(call)["secret"] }),
    rotateSecret: (call) => ({ secret: save({ ...read(call), secret: renewSecret() })["secret"] }),
    test: (call) => deliver(read(call), "test", null),
    deliveries: (call) => deliveriesOf(call).toReversed(),
    replay(call) {
      const found = deliveriesOf(call).find(({ id }) => id === call.ids[1]);
      if (found === undefined) throw toRefusal(404);
      return deliver(read(call), toText(found["event"]), found.id);
    },
  };
  return new Map(Object.entries(actions));
}
