import type { NoticeEvent } from "../base/notices.ts";
import type { CurrentSettings } from "../settings/current-settings.ts";
import {
  parseNoticeSettings,
  toChannelsOf,
  toOwnContacts,
  type NoticeChannel,
  type NoticeSettings,
} from "../settings/notice-settings.ts";
import type { AlertContacts } from "../settings/tenant-settings.ts";
import { CONSOLE_ACTOR, type PersonKey } from "../store/people/person.ts";
import type { Store } from "../store/store.ts";
import type { TenantId } from "../platform/platform.ts";
import { toShopKey } from "../platform/shop-key.ts";
import type { Notice } from "./notice-event.ts";
import { toNoticeMessage, toPageContent, toShop, type NoticeNews } from "./notice-message.ts";
import { createChannelProblems } from "./channel-problems.ts";
import type { Delivery } from "./outbox.ts";
import { createOutboxPool, type OutboxPoolOptions } from "./outbox-pool.ts";

/** Where notices find the people. */
export interface NoticePeople {
  readonly store: Pick<Store, "notices" | "orders">;
  readonly settings: Pick<CurrentSettings, "of">;
  /** Whose console the holder of the console token uses; undefined without one. */
  readonly operatorTenant: TenantId | undefined;
  /** The app's public address, for links; undefined if it isn't known. */
  readonly publicUrl: string | undefined;
}

export interface NoticeDeliveryOptions extends OutboxPoolOptions {
  /** Undefined while the store isn't open yet. */
  readonly people: () => NoticePeople | undefined;
  readonly now: () => number;
}

/** Several notices of one event, which become one message. */
export interface NoticeBundle {
  readonly first: Notice;
  readonly count: number;
  /** Identifies the bundle, also in another process. */
  readonly id: string;
}

interface Subscriber extends PersonKey {
  readonly settings: NoticeSettings;
  readonly channels: readonly NoticeChannel[];
}

/** How a message ends for each recipient: see `Outbox`. */
type Ends = readonly Promise<boolean>[];

/** Sends bundles to the people who want to know of them, on the channels that they chose. */
export function createNoticeDelivery(options: NoticeDeliveryOptions) {
  const { now } = options;
  const pool = createOutboxPool(options);
  const noteDelivery = createChannelProblems(now);

  function push(people: NoticePeople, subscriber: Subscriber, news: NoticeNews): Ends {
    const { tenant, actor, settings, channels } = subscriber;
    const message = toMessage(people, subscriber, news);
    return channels.flatMap((channel) => {
      if (channel === "page") {
        const added = people.store.notices.addForPages({ tenant, actor }, toPageContent(news), now());
        pool.track(added);
        // It isn't repeated: the other channels' messages would be, too.
        return added.then(
          () => true,
          () => true,
        );
      }
      const contacts = toOwnContacts(settings, channel);
      if (contacts === null) return [];
      const key = JSON.stringify([tenant, actor, channel]);
      const onDelivery = (delivery: Delivery) =>
        pool.track(noteDelivery(people.store, { tenant, actor }, channel, delivery));
      const whose = { event: news.event, to: actor, channel };
      const readContacts = () => readOwnContacts(people, tenant, whose);
      const addressee = { key, fields: { tenant, actor }, onDelivery };
      return pool.push(addressee, contacts, { message, readContacts });
    });
  }

  async function pushTo(people: NoticePeople, tenant: TenantId, bundle: NoticeBundle): Promise<Ends> {
    const { first: notice, count, id } = bundle;
    const subscribers = await findSubscribers(people, tenant, notice);
    if (subscribers.length === 0) return [];
    const { event, orderId } = notice;
    const order =
      orderId === undefined || count > 1 ? null : await people.store.orders.get({ tenant, orderId });
    const news = { event, tenant, notice, count, order, id, atMs: now() };
    return subscribers.flatMap((subscriber) => push(people, subscriber, news));
  }

  async function pushToAll(people: NoticePeople, bundle: NoticeBundle): Promise<Ends> {
    const ends: Promise<boolean>[] = [];
    for (const one of await findTenants(people, bundle.first))
      ends.push(...(await pushTo(people, one, bundle)));
    return ends;
  }

  return {
    /**
     * The notice for each address of everybody who wants to know of it.
     *
     * @throws {HoldfastError} `STORE_UNAVAILABLE` if the people couldn't be read.
     */
    async address(notice: Notice): Promise<readonly Notice[]> {
      const people = options.people();
      return people === undefined ? [] : toAddressed(people, notice);
    },
    /**
     * Resolves to whether it is done: see `Outbox`.
     *
     * @throws {HoldfastError} `STORE_UNAVAILABLE` if the people couldn't be read.
     */
    async send(bundle: NoticeBundle): Promise<boolean> {
      const people = options.people();
      if (people === undefined) return false;
      const pushed = pushToAll(people, bundle);
      pool.track(pushed);
      return (await Promise.all(await pushed)).every((isOver) => isOver);
    },
    close: (forMs: number) => pool.close(forMs),
  };
}

/** In the person's language. */
function toMessage(people: NoticePeople, { tenant, actor, settings }: Subscriber, news: NoticeNews) {
  return toNoticeMessage(news, actor, toConsoleUrl(people, tenant, settings), settings.language ?? "en");
}

/** Where the person uses the console, in this shop. A platform opens it by its own name of the shop. */
function toConsoleUrl(
  { publicUrl }: NoticePeople,
  tenant: TenantId,
  { isEmbedded }: NoticeSettings,
): string | null {
  if (publicUrl === undefined) return null;
  const shop = isEmbedded ? toShop(tenant) : null;
  // A browser may be signed in to several shops.
  const query = new URLSearchParams(shop === null ? { in: toShopKey(tenant) } : { shop });
  return new URL(`/?${query.toString()}`, publicUrl).href;
}

/** Whose shops a notice is about. Without a tenant, it's about the installation's service key. */
async function findTenants(
  { store, settings }: NoticePeople,
  { tenant: only }: Notice,
): Promise<readonly TenantId[]> {
  if (only !== undefined) return [only];
  const found: TenantId[] = [];
  for (const tenant of await store.notices.listTenants())
    if ((await settings.of(tenant)).service === null) found.push(tenant);
  return found;
}

/** The people who want to know of it and still have access. */
async function findSubscribers(
  { store, operatorTenant }: NoticePeople,
  tenant: TenantId,
  { event, to, channel: only }: Pick<Notice, "event" | "to" | "channel">,
): Promise<readonly Subscriber[]> {
  const subscribers: Subscriber[] = [];
  for (const [actor, kept] of await store.notices.list(tenant, to)) {
    if (actor === CONSOLE_ACTOR && tenant !== operatorTenant) continue;
    const settings = parseNoticeSettings(kept);
    const channels = toChannelsOf(settings, event).filter((one) => only === undefined || one === only);
    if (channels.length > 0) subscribers.push({ tenant, actor, settings, channels });
  }
  return subscribers;
}

async function toAddressed(people: NoticePeople, notice: Notice): Promise<readonly Notice[]> {
  const notices: Notice[] = [];
  for (const tenant of await findTenants(people, notice)) {
    for (const { actor, channels } of await findSubscribers(people, tenant, notice))
      notices.push(...channels.map((channel) => ({ ...notice, tenant, to: actor, channel })));
  }
  return notices;
}

/** Where a message may go now; null if the person has no access, or doesn't want it there anymore. */
async function readOwnContacts(
  people: NoticePeople,
  tenant: TenantId,
  whose: { readonly event: NoticeEvent; readonly to: string; readonly channel: "email" | "webhook" },
): Promise<AlertContacts | null> {
  const [found] = await findSubscribers(people, tenant, whose);
  return found === undefined ? null : toOwnContacts(found.settings, whose.channel);
}
