import { describe, expect, it } from "vitest";
import { HoldfastError } from "../../src/index.ts";
import type { PlatformEvent } from "../../src/platform/platform.ts";
import { platformAdapterContract, type ContractCase } from "../../src/testing.ts";
import { ACCESS_FAULTS } from "./access-faults.ts";
import { ENFORCEMENT_FAULTS } from "./enforcement-faults.ts";
import { createMemoryAdapter } from "./memory-adapter.ts";
import { createShopAdapter } from "./shop-adapter.ts";
import { createShopifyAdapter } from "./shopify-adapter.ts";
import { asShown } from "../support/shown.ts";

describe("platformAdapterContract, passed by the Shopify adapter", () => {
  for (const { name, run } of platformAdapterContract(createShopifyAdapter)) it(name, run);
});

describe("platformAdapterContract, passed by a platform in the shop's own process", () => {
  for (const { name, run } of platformAdapterContract(createShopAdapter)) it(name, run);
});

describe("platformAdapterContract, passed by an adapter in memory", () => {
  for (const { name, run } of platformAdapterContract(() => createMemoryAdapter())) it(name, run);
});

describe("platformAdapterContract, passed by an adapter that answers unreadable orders", () => {
  const dispute = { disputeId: "1", orderId: "1001", reason: "fraudulent", isFraud: true, initiatedAtMs: 0 };
  const events: readonly PlatformEvent[] = [
    { kind: "context-changed", orderId: "1001" },
    { kind: "dispute", dispute: { ...dispute, kind: "inquiry", status: "open" } },
  ];
  it.each(events)("with the event $kind", async (event) => {
    const cases = platformAdapterContract(() =>
      createMemoryAdapter((sound) => ({
        interpret(delivery) {
          const read = sound.interpret(delivery);
          return delivery.topic === "order" && read.kind === "ignored" ? event : read;
        },
      })),
    );
    expect(await failuresOf(cases.filter(({ name }) => name.startsWith("reads any bytes")))).toEqual([]);
  });
});

/** Names of the cases that fail. */
async function failuresOf(cases: readonly ContractCase[]): Promise<readonly string[]> {
  const failed: string[] = [];
  for (const { name, run } of cases) await run().catch(() => failed.push(name));
  return failed;
}

type Spoil = NonNullable<Parameters<typeof createMemoryAdapter>[0]>;

const FORGED = platformAdapterContract(() => createMemoryAdapter())
  .map(({ name }) => name)
  .filter((name) => name.startsWith("refuses a delivery"));

const FAULTS: readonly (readonly [fault: string, spoil: Spoil, caught: readonly string[]])[] = [
  [
    "checks no signature",
    (sound) => ({
      authenticate: (delivery) => {
        const judged = sound.authenticate(delivery);
        if (judged.outcome !== "unauthenticated") return judged;
        return {
          outcome: "accepted",
          tenant: "memory:shop",
          deliveryId: "1",
          topic: "order",
        };
      },
    }),
    [...FORGED, "refuses what no platform sends, without throwing"],
  ],
  [
    "takes the first of two signatures",
    (sound) => ({
      authenticate({ headers, body }) {
        const given = headers["x-signature"];
        const first = typeof given === "string" ? given.split(", ")[0] : given?.[0];
        return sound.authenticate({ headers: { ...headers, "x-signature": first }, body });
      },
    }),
    [
      "refuses a delivery with the signature sent twice, as a list",
      "refuses a delivery with the signature sent twice, joined",
    ],
  ],
  [
    "signs the body trimmed",
    (sound) => ({
      authenticate: ({ headers, body }) =>
        sound.authenticate({ headers, body: Buffer.from(body.toString().trim()) }),
    }),
    ["refuses a delivery with a space added"],
  ],
  [
    "throws on an invalid signature",
    (sound) => ({
      authenticate(delivery) {
        if (!/^[0-9a-f]+$/.test(String(delivery.headers["x-signature"]))) throw new TypeError("no signature");
        return sound.authenticate(delivery);
      },
    }),
    [
      "refuses a delivery with text that isn't a signature",
      "refuses what no platform sends, without throwing",
    ],
  ],
  [
    "names tenants without the platform",
    (sound) => ({
      authenticate(delivery) {
        const judged = sound.authenticate(delivery);
        return judged.outcome === "accepted" ? { ...judged, tenant: "shop" } : judged;
      },
    }),
    ["accepts a signed delivery of its tenant"],
  ],
  [
    "gives every repeat a new ID",
    (sound) => {
      let count = 0;
      return {
        authenticate(delivery) {
          const judged = sound.authenticate(delivery);
          count += 1;
          return judged.outcome === "accepted" ? { ...judged, deliveryId: String(count) } : judged;
        },
      };
    },
    ["gives a repeated delivery the same id"],
  ],
  [
    "gives all deliveries one id",
    (sound) => ({
      authenticate(delivery) {
        const judged = sound.authenticate(delivery);
        return judged.outcome === "accepted" ? { ...judged, deliveryId: "1" } : judged;
      },
    }),
    ["gives each delivery its own id"],
  ],
  [
    "throws on a body that isn't JSON",
    (sound) => ({
      interpret(delivery) {
        JSON.parse(delivery.body.toString());
        return sound.interpret(delivery);
      },
    }),
    ["reads any bytes as an event, and each order as a valid request or a named reason"],
  ],
  [
    "sends requests that the service refuses",
    (sound) => ({
      interpret(delivery) {
        const event = sound.interpret(delivery);
        if (event.kind !== "order" || event.order.mapped.outcome !== "screenable") return event;
        const { mapped } = event.order;
        return {
          ...event,
          order: { ...event.order, mapped: { ...mapped, request: { ...mapped.request, currency: "€" } } },
        };
      },
    }),
    [
      "maps the order in a delivery",
      "reads any bytes as an event, and each order as a valid request or a named reason",
    ],
  ],
  [
    "has its own reasons",
    (sound) => ({
      interpret(delivery) {
        const event = sound.interpret(delivery);
        if (event.kind !== "order" || event.order.mapped.outcome !== "unscreenable") return event;
        const mapped = { ...event.order.mapped, reason: "BAD_ORDER" as "NO_EMAIL" };
        return { ...event, order: { ...event.order, mapped } };
      },
    }),
    ["reads any bytes as an event, and each order as a valid request or a named reason"],
  ],
  [
    "makes a new name up every time",
    (sound) => {
      let count = 0;
      return {
        interpret(delivery) {
          const event = sound.interpret(delivery);
          count += 1;
          return event.kind === "order" ? { ...event, order: { ...event.order, name: `#${count}` } } : event;
        },
      };
    },
    ["gives the same event for the same delivery"],
  ],
  [
    "treats every topic as an order",
    (sound) => ({ interpret: (delivery) => sound.interpret({ ...delivery, topic: "order" }) }),
    ["ignores a topic that it does not know, with a reason"],
  ],
  [
    "lets an order fail if detail is missing",
    (sound) => ({
      async enrich(tenant, { orderId, mapped }) {
        await sound.observe(tenant, orderId);
        return { mapped, limitations: [] };
      },
    }),
    ["leaves an order unchanged when no detail is available"],
  ],
  [
    "spoils an order with its detail",
    () => ({
      enrich: async (_tenant, { mapped }) => ({
        mapped:
          mapped.outcome === "screenable"
            ? { ...mapped, request: { ...mapped.request, accountAgeInDays: -1 } }
            : mapped,
        limitations: ["x"],
      }),
    }),
    ["adds detail to an order and leaves it valid", "leaves an order unchanged when no detail is available"],
  ],
  ...ENFORCEMENT_FAULTS,
  [
    "shows orders as canceled that aren't",
    (sound) => ({
      observe: async (...call) => {
        const shown = asShown(await sound.observe(...call));
        return shown && { ...shown, cancelled: true };
      },
    }),
    ["observes an untouched order"],
  ],
  [
    "shows an unknown order as an order",
    (sound) => ({
      observe: async (...call) =>
        (await sound.observe(...call)) ?? {
          cancelled: false,
          fulfilled: false,
          partlyFulfilled: false,
          holdable: false,
          tags: [],
          holds: [],
          assessment: null,
          platformRisk: null,
        },
    }),
    ["observes null for an unknown order", "shows no order to a tenant of another platform"],
  ],
  [
    "lists the newest first",
    (sound) => ({
      async recentOrders(tenant, window) {
        const orders = [];
        let cursor: string | undefined;
        do {
          const page = await sound.recentOrders(tenant, { ...window, cursor });
          orders.push(...page.orders);
          cursor = page.nextCursor ?? undefined;
        } while (cursor !== undefined);
        return { orders: orders.toReversed(), nextCursor: null };
      },
    }),
    ["lists the orders of a window, each once and oldest first"],
  ],
  [
    "lists only the first page",
    (sound) => ({
      recentOrders: async (...call) => ({ ...(await sound.recentOrders(...call)), nextCursor: null }),
    }),
    ["lists the orders of a window, each once and oldest first"],
  ],
  [
    "lists the last page over and over",
    (sound) => ({
      recentOrders: async (...call) => ({ ...(await sound.recentOrders(...call)), nextCursor: "0" }),
    }),
    ["lists the orders of a window, each once and oldest first"],
  ],
  [
    "lists without regard to the window",
    (sound) => ({
      recentOrders: (tenant, { cursor }) => sound.recentOrders(tenant, { sinceMs: 0, cursor }),
    }),
    ["lists no order from before or after a window"],
  ],
  [
    "lists orders without their mapping",
    (sound) => ({
      async recentOrders(...call) {
        const page = await sound.recentOrders(...call);
        const mapped = { outcome: "unscreenable", reason: "UNREAD", known: {}, test: false };
        const orders = page.orders.map((order) => ({ ...order, mapped: mapped as typeof order.mapped }));
        return { ...page, orders };
      },
    }),
    ["lists orders like their deliveries"],
  ],
  [
    "accepts any reference as an order",
    () => ({ locate: async (_tenant, reference) => reference.replace(/^parcel-/, "") }),
    ["locates the order of a reference, and none for an unknown reference"],
  ],
  [
    "opens a session for anybody",
    () => ({ openSession: async () => ({ tenant: "memory:shop", userId: undefined }) }),
    ["opens no session for an invalid token"],
  ],
  [
    "puts the query into the page",
    () => ({ page: ({ shop = "" }) => ({ frameAncestors: [shop], scriptSources: [], head: shop }) }),
    ["gives a page or null for any query"],
  ],
  [
    "can't diagnose itself without the platform",
    (sound) => ({
      async diagnose() {
        await sound.observe("memory:shop", "order-1");
        return [];
      },
    }),
    ["diagnoses an installation, even when the platform doesn't answer"],
  ],
  [
    "throws its own errors",
    (sound) => ({
      observe: (...call) =>
        sound.observe(...call).catch(() => {
          throw new Error("no answer");
        }),
    }),
    [
      "reports that observe may work later when there is no connection",
      "reports that access is missing for observe",
    ],
  ],
  ...ACCESS_FAULTS,
  [
    "gives up permanently",
    (sound) => ({
      enforce: (...call) => sound.enforce(...call).catch(giveUp),
      recentOrders: (...call) => sound.recentOrders(...call).catch(giveUp),
    }),
    [
      "reports that cancel may work later when there is no connection",
      "reports that recentOrders may work later when there is no connection",
      "reports that access is missing for hold",
      "reports that access is missing for recentOrders",
    ],
  ],
  [
    "keeps failing",
    (sound) => {
      let broken = false;
      return {
        async observe(...call) {
          if (broken) throw new HoldfastError("PLATFORM_UNAVAILABLE", "broken", { retryable: true });
          try {
            return await sound.observe(...call);
          } catch (error) {
            broken = true;
            throw error;
          }
        },
      };
    },
    ["works again once it has its connection back"],
  ],
  [
    "ignores the signal",
    (sound) => ({ observe: (tenant, orderId) => sound.observe(tenant, orderId) }),
    ["gives up when its signal fires"],
  ],
  [
    "can't be closed twice",
    () => {
      let closed = false;
      return {
        async close() {
          if (closed) throw new Error("closed");
          closed = true;
        },
      };
    },
    ["can be closed twice"],
  ],
];

function giveUp(): never {
  throw new HoldfastError("PLATFORM_REFUSED", "no", { retryable: false });
}

describe("platformAdapterContract", () => {
  it.each(FAULTS)("catches an adapter that %s", async (_fault, spoil, caught) => {
    const cases = platformAdapterContract(() => createMemoryAdapter(spoil));

    expect(await failuresOf(cases)).toEqual(expect.arrayContaining([...caught]));
  });

  it("has no case that can't fail", async () => {
    const caught = new Set(FAULTS.flatMap(([, , names]) => names));
    const giving: Spoil = () => ({
      enforce: () => Promise.reject(giveUp()),
      enrich: () => Promise.reject(giveUp()),
    });
    const silent: Spoil = (sound) => ({
      enforce: (...call) => sound.enforce(...call).catch(() => ({ outcome: "moot", reason: "none" })),
      recentOrders: (...call) => sound.recentOrders(...call).catch(() => ({ orders: [], nextCursor: null })),
    });
    const mute: Spoil = (sound) => ({
      enforce: async (step, target, options) => {
        const ended = await sound.enforce(step, target, options);
        return ended.outcome === "moot" ? { outcome: "done", detail: "done" } : ended;
      },
    });
    for (const spoil of [giving, silent, mute]) {
      for (const name of await failuresOf(platformAdapterContract(() => createMemoryAdapter(spoil))))
        caught.add(name);
    }
    const names = platformAdapterContract(() => createMemoryAdapter()).map(({ name }) => name);

    expect(names.filter((name) => !caught.has(name))).toEqual([]);
    expect(new Set(names).size).toBe(names.length);
  });

  it("ends the adapter even when its case fails", async () => {
    let ended = 0;
    const [first] = platformAdapterContract(() => ({
      ...createMemoryAdapter(() => ({ authenticate: () => giveUp() })),
      close: async () => void (ended += 1),
    }));

    await expect(first?.run()).rejects.toThrow();
    expect(ended).toBe(1);
  });
});
