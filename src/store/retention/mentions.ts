import { sql, type SqlBool } from "kysely";
import { toEmailAddress } from "../../order/email-address.ts";
import type { TenantId } from "../../platform/platform.ts";
import { placeOfBody } from "../deliveries/deliveries.ts";
import type { StoreContext } from "../context.ts";
import { placeOfOrder } from "../orders/order-rows.ts";
import { placeOfChange } from "../orders/revisions.ts";
import type { Database } from "../schema/schema.ts";
import type { Place } from "../sealing/sealing.ts";
import { placeOfReport } from "./reports.ts";
import { selectRows, toChunks } from "../statements.ts";

/** How many texts are decrypted between two turns of the event loop. */
const TEXTS_PER_READ = 100;

interface Mentioned {
  readonly orderIds: readonly string[];
  readonly customerId: string | undefined;
  /** Compared with the sealed request of every order of the tenant, ignoring case. */
  readonly email: string | undefined;
  /** Names of the customer, which count as whole words. Default: none are looked for. */
  readonly names?: readonly string[] | undefined;
}

export interface ErasureRequest extends Mentioned {
  readonly tenant: TenantId;
  /**
   * When it was asked for, milliseconds since the epoch. Deliveries received from then on stay, because nobody has worked
   * on them. Default: none stay.
   */
  readonly askedAtMs?: number | undefined;
}

export type Mentions = (text: string) => boolean;

/**
 * Whether a text mentions one of the orders, the customer, a name or the address. The store doesn't know the format of a
 * delivery, so IDs count as whole words: neither order 170 nor a price of 17.50 mentions order 17.
 */
export function createMentions({ orderIds, customerId, email, names = [] }: Mentioned): Mentions {
  const words = [...orderIds, ...names];
  if (customerId !== undefined) words.push(customerId);
  if (email !== undefined) words.push(...toWrittenForms(email));
  const wanted = words.filter((word) => word !== "").map(escapePattern);
  if (wanted.length === 0) return () => false;
  const pattern = new RegExp(`(?<![\\w.@+-])(?:${wanted.join("|")})(?!\\.?[\\w@-])`, "iu");
  return (text) => pattern.test(text);
}

/** IDs of reports, and of deliveries from before the request that still have a body, that mention the person. */
export async function findMentions(
  { engine, sealer, pace }: StoreContext,
  { tenant, askedAtMs = Number.MAX_SAFE_INTEGER }: ErasureRequest,
  mentions: Mentions,
): Promise<{ readonly deliveryIds: readonly string[]; readonly reportIds: readonly string[] }> {
  const deliveryIds: string[] = [];
  const isPending = sql<SqlBool>`(ready_at is not null or awaits_installation = 1)
    and received_at < ${askedAtMs}`;
  const pending = await engine.read((db) =>
    selectRows(db, "deliveries", { tenant }, ["delivery_id"], isPending),
  );
  for (const chunk of toChunks(pending, TEXTS_PER_READ)) {
    const ids = chunk.map((row) => row.delivery_id);
    const rows = await engine.read((db) =>
      selectRows(db, "deliveries", { tenant, delivery_id: ids }, ["delivery_id", "body"]),
    );
    for (const { delivery_id: deliveryId, body } of rows) {
      const text = sealer.tryBytes(placeOfBody({ tenant, deliveryId }), body);
      if (text !== undefined && mentions(text.toString())) deliveryIds.push(deliveryId);
    }
    await pace(tenant);
  }
  const reports = await engine.read((db) => selectRows(db, "reports", { tenant }, ["request_id", "content"]));
  const reportIds = reports.flatMap(({ request_id: requestId, content }) => {
    const text = sealer.tryBytes(placeOfReport(tenant, requestId), content);
    return text !== undefined && mentions(text.toString()) ? requestId : [];
  });
  return { deliveryIds, reportIds };
}

/**
 * IDs of a tenant's orders that belonged to a person before a change, or will after one. Their changes contain the
 * person's data, and an order's digests only cover its screened state.
 */
export async function findRevisedOrders(
  context: StoreContext,
  tenant: string,
  mentions: Mentions,
): Promise<readonly string[]> {
  const { sealer } = context;
  const found = new Set<string>();
  const look = (orderId: string, place: Place, sealed: Uint8Array | null): void => {
    if (found.has(orderId)) return;
    const text = sealer.tryBytes(place, sealed);
    if (text !== undefined && mentions(text.toString())) found.add(orderId);
  };
  for await (const { order_id: orderId, at, content } of toPages(context, tenant, selectChanges))
    look(orderId, placeOfChange({ tenant, orderId }, at), content);
  // New content that hasn't been handled yet. Its change has been searched above, and names the former values.
  for await (const { order_id: orderId, revised } of toPages(context, tenant, selectRevised))
    look(orderId, placeOfOrder("revised", { tenant, orderId }), revised);
  return [...found];
}

/** All rows that `select` finds, a page at a time: it resolves to those that follow `last`. */
async function* toPages<Row>(
  { engine, pace }: StoreContext,
  tenant: string,
  select: (db: Database, tenant: string, last: Row | undefined) => Promise<readonly Row[]>,
): AsyncGenerator<Row> {
  let last: Row | undefined;
  for (;;) {
    const after = last;
    const rows = await engine.read((db) => select(db, tenant, after));
    yield* rows;
    if (rows.length < TEXTS_PER_READ) return;
    last = rows.at(-1);
    await pace(tenant);
  }
}

function selectChanges(
  db: Database,
  tenant: string,
  last?: { readonly order_id: string; readonly at: number },
) {
  const isNext = sql<SqlBool>`content is not null and (order_id, at) > (${last?.order_id ?? ""}, ${last?.at ?? 0})`;
  const inOrder = sql`order by order_id, at limit ${TEXTS_PER_READ}`;
  return selectRows(db, "order_changes", { tenant }, ["order_id", "at", "content"], isNext, inOrder);
}

function selectRevised(db: Database, tenant: string, last?: { readonly order_id: string }) {
  const isNext = sql<SqlBool>`revised is not null and order_id > ${last?.order_id ?? ""}`;
  const inOrder = sql`order by order_id limit ${TEXTS_PER_READ}`;
  return selectRows(db, "orders", { tenant }, ["order_id", "revised"], isNext, inOrder);
}

/** The forms of an email address in a text: as given, with an ASCII domain, and as JSON that is safe in HTML. */
function toWrittenForms(email: string): readonly string[] {
  const forms = [email.trim(), toEmailAddress(email) ?? ""];
  const escaped = forms.map((form) =>
    form.replaceAll(/[&<>]/g, (sign) => String.raw`\u00${sign.charCodeAt(0).toString(16)}`),
  );
  return [...new Set([...forms, ...escaped])];
}

function escapePattern(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`);
}
