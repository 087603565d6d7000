import { z } from "zod";
import type { OrderRecord } from "../../../store/store.ts";
import { createConverter } from "../../../mapping/exchange-rates.ts";
import { toTracedEnd } from "../../../pipeline/order-life/order-end.ts";
import { needsRecheck } from "../../../pipeline/order-life/changed-order.ts";
import { findEvidenceDueMs } from "../../../pipeline/watch/evidence-due.ts";
import { noteAccess, noteAct } from "../base/note-access.ts";
import { handleRoutes, type CallOf, type RouteDefinitions } from "../../http/api-route.ts";
import { sendCsv } from "../../http/csv-response.ts";
import { pageQuery, readPage } from "../../http/query.ts";
import { readShopMoney } from "../../parts/shop-money.ts";
import { toZonedIso, type LocalParts } from "../../parts/shop-locales.ts";
import { moneyJson } from "../base/money-json.ts";
import { createOrderCells, ORDER_COLUMNS } from "./order-csv.ts";
import { orderJson, toOrderJson } from "./order-json.ts";
import { orderFilterQuery, orderSortQuery, readRates, toOrderFilter } from "./order-query.ts";

const listQuery = orderFilterQuery.extend(orderSortQuery.shape);

const ORDER_LIST_ROUTES = {
  "GET /orders": {
    id: "listOrders",
    summary: "List orders, newest first, or the review queue.",
    role: "viewer",
    query: listQuery.extend(pageQuery.shape),
    answers: {
      200: z.object({
        orders: z.array(orderJson),
        nextCursor: z.string().nullable().describe("with filters, also of a page without orders"),
        searchedNewest: z
          .int()
          .optional()
          .describe(
            "how many of the list's newest orders were searched by their content; absent: all of them",
          ),
        cutAt: z
          .int()
          .optional()
          .describe("the search found more orders than this and lists no more; absent: it lists all of them"),
      }),
    },
  },
  "GET /order-totals": {
    id: "totalOrders",
    summary: "Count the orders of a list and add up their amounts.",
    role: "viewer",
    query: orderFilterQuery,
    answers: {
      200: z.object({
        orders: z.int(),
        amount: moneyJson,
        complete: z.boolean().describe("false: there may be more, which weren't counted"),
      }),
    },
  },
  "GET /orders.csv": {
    id: "exportOrders",
    summary: "Download the orders of a list as a CSV file.",
    role: "viewer",
    query: listQuery,
    answers: { 200: "text/csv" },
  },
} satisfies RouteDefinitions;

type Call<Route extends keyof typeof ORDER_LIST_ROUTES> = CallOf<typeof ORDER_LIST_ROUTES, Route>;

export function createOrderListRoutes(parts: LocalParts) {
  return handleRoutes(ORDER_LIST_ROUTES, {
    "GET /orders": (call) => list(parts, call),
    async "GET /order-totals"({ session, query, signal, answer }) {
      const { tenant } = session;
      // A count says whether somebody's data is there.
      if (query.q !== undefined) await noteAccess(parts, session, "orders", "");
      const filter = await toOrderFilter(parts, tenant, query);
      const { isComplete, ...totals } = await parts.store.orders.totals(tenant, filter, signal);
      answer(200, { ...totals, complete: isComplete });
    },
    "GET /orders.csv": (call) => exportOrders(parts, call),
  });
}

async function list(parts: LocalParts, call: Call<"GET /orders">): Promise<void> {
  const { session, signal, answer } = call;
  const { limit, cursor, sort, ...query } = call.query;
  const { tenant } = session;
  const filter = await toOrderFilter(parts, tenant, query);
  const rates = sort === "amount" ? await readRates(parts, tenant) : undefined;
  const listing = { ...filter, sort, rates, nowMs: parts.now(), limit, cursor };
  const page = await readPage(parts.store.orders.list(tenant, listing, signal));
  const { orders, nextCursor, searchedNewest, cutAt } = page;
  // The reasons for an order's risk may reveal personal data, too.
  if (orders.some(({ mapped, result }) => mapped !== null || result !== null))
    await noteAccess(parts, session, "orders", "");
  const ids = orders.map(({ orderId }) => orderId);
  const { reviews, outcomes } = parts.store;
  const [claims, marks, traces] = await Promise.all([
    reviews.listClaims(tenant, ids, parts.now()),
    reviews.listMarks(tenant, ids),
    outcomes.loadTraces(tenant, ids),
  ]);
  const shown = [];
  for (const order of orders) {
    // Only an order that waits to be checked again can be on hold for that.
    const steps = needsRecheck(order) ? await parts.store.orders.listSteps(order) : [];
    const { orderId } = order;
    const ended = toTracedEnd(order, traces.get(orderId));
    const evidenceDueMs = findEvidenceDueMs(traces.get(orderId)?.disputes ?? [], parts.now());
    const buyer = traces.get(orderId)?.buyer;
    const about = { claim: claims.get(orderId), marks: marks.get(orderId), ended, evidenceDueMs, buyer };
    const json = toOrderJson(order, steps, about);
    shown.push(rates === undefined ? json : { ...json, value: toValue(order, rates) });
  }
  answer(200, {
    orders: shown,
    nextCursor,
    ...(searchedNewest === null ? {} : { searchedNewest }),
    ...(cutAt === null ? {} : { cutAt }),
  });
}

/** What the list is sorted by. While the shop's currency isn't known, amounts are compared as numbers. */
function toValue({ amount, currency }: OrderRecord, rates: ReadonlyMap<string, number>): number | null {
  if (rates.size === 0 || amount === null) return amount;
  const rate = rates.get((currency ?? "").toUpperCase());
  return rate === undefined ? null : amount * rate;
}

async function exportOrders(parts: LocalParts, call: Call<"GET /orders.csv">): Promise<void> {
  const { session, signal } = call;
  const { sort, ...query } = call.query;
  const { tenant } = session;
  await noteAct(parts, session, "export", "orders");
  const filter = await toOrderFilter(parts, tenant, query);
  const { timeZone } = await parts.localeOf(tenant);
  const converter = createConverter(await readShopMoney(parts, tenant));
  const rates = sort === "amount" ? await readRates(parts, tenant) : undefined;
  const people = await parts.store.people.list(tenant);
  const nowMs = parts.now();
  const toCells = createOrderCells({ timeZone, converter, people, nowMs });

  async function* pages() {
    for await (const orders of parts.store.orders.readAll(
      tenant,
      { ...filter, sort, rates, nowMs },
      signal,
    )) {
      const ids = orders.map(({ orderId }) => orderId);
      const traces = await parts.store.outcomes.loadTraces(tenant, ids);
      yield orders.map((order) => toCells(order, traces.get(order.orderId)));
    }
  }

  const day = toZonedIso(nowMs, timeZone).slice(0, 10);
  const name = `holdfast-orders-${day}.csv`;
  await sendCsv(parts, call.res, { name, heading: ORDER_COLUMNS, pages: pages() });
}
