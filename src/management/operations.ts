import { z } from "zod";

/** One route of the management interface, version 1. */
export interface ManagementRoute {
  readonly kind: "one" | "list";
  readonly method: "GET" | "POST" | "PATCH" | "DELETE";
  /** Below `/api/v1`. Each `:name` is a parameter. */
  readonly path: string;
  /** Schema of the answer's `data`; of one entry for a list. */
  readonly data: z.ZodType;
  readonly body: z.ZodType | undefined;
}

/** A record whose fields the interface doesn't show. */
export interface ManagementRecord extends Readonly<Record<string, unknown>> {}
const unshown: z.ZodType<ManagementRecord> = z.looseObject({});
const text = z.string().nullable().catch(null);
/** A workspace. The service may send more fields, which are kept. */
export interface Workspace {
  readonly id: string;
  readonly name: string | null;
  readonly plan: string | null;
}
const workspace: z.ZodType<Workspace> = z.looseObject({ id: z.string(), name: text, plan: text });

const get = <P extends string, D extends z.ZodType>(path: P, data: D) =>
  ({ kind: "one", method: "GET", path, data, body: undefined }) as const;

const list = <P extends string, D extends z.ZodType>(path: P, data: D) =>
  ({ kind: "list", method: "GET", path, data, body: undefined }) as const;

const act = <P extends string, B extends z.ZodType | undefined>(
  method: "POST" | "PATCH" | "DELETE",
  path: P,
  body: B,
) => ({ kind: "one", method, path, data: z.unknown(), body }) as const;

const filled = z.string().refine((value) => value.trim() !== "", "expected text that is not blank");
const url = z.string().refine((value) => URL.canParse(value), "expected an address");
const webhookFields = { name: filled, url, events: z.array(filled) };

/**
 * Every route of the management interface, by the client's group and method. If the interface shows no body, the type
 * is a record of unknown fields.
 */
export const MANAGEMENT_ROUTES = {
  me: { get: get("/me", unshown) },
  workspaces: {
    list: list("/workspaces", workspace),
    get: get("/workspaces/:workspaceId", workspace),
    members: list("/workspaces/:workspaceId/members", unshown),
  },
  sites: {
    list: list("/sites", unshown),
    get: get("/sites/:siteId", unshown),
    domain: get("/sites/:siteId/domain", unshown),
  },
  pages: {
    list: list("/sites/:siteId/pages", unshown),
    get: get("/sites/:siteId/pages/:pageId", unshown),
  },
  forms: {
    list: list("/sites/:siteId/forms", unshown),
    get: get("/sites/:siteId/forms/:formId", unshown),
    submissions: list("/sites/:siteId/forms/:formId/submissions", unshown),
    submission: get("/sites/:siteId/forms/:formId/submissions/:submissionId", unshown),
  },
  collections: {
    list: list("/sites/:siteId/collections", unshown),
    get: get("/sites/:siteId/collections/:collectionId", unshown),
    items: list("/sites/:siteId/collections/:collectionId/items", unshown),
    item: get("/sites/:siteId/collections/:collectionId/items/:itemId", unshown),
  },
  blog: {
    posts: list("/sites/:siteId/blog/posts", unshown),
    post: get("/sites/:siteId/blog/posts/:postId", unshown),
    authors: list("/sites/:siteId/blog/authors", unshown),
    categories: list("/sites/:siteId/blog/categories", unshown),
  },
  webhooks: {
    list: list("/webhooks", unshown),
    create: act("POST", "/webhooks", z.strictObject({ workspaceId: filled, ...webhookFields })),
    get: get("/webhooks/:webhookId", unshown),
    // The interface shows no body: the fields of a new webhook are checked, and any other passes.
    update: act("PATCH", "/webhooks/:webhookId", z.looseObject(webhookFields).partial()),
    delete: act("DELETE", "/webhooks/:webhookId", undefined),
    secret: get("/webhooks/:webhookId/secret", z.unknown()),
    rotateSecret: act("POST", "/webhooks/:webhookId/secret", undefined),
    test: act("POST", "/webhooks/:webhookId/test", undefined),
    deliveries: list("/webhooks/:webhookId/deliveries", unshown),
    replay: act("POST", "/webhooks/:webhookId/deliveries/:deliveryId/replay", undefined),
  },
} as const;
