import { z } from "zod";
import { refusalOf } from "../../../base/refusals.ts";
import { createSerialQueue } from "../../../base/waiting.ts";
import { parseNoticeSettings } from "../../../settings/notice-settings.ts";
import { handleRoutes, type CallOf, type RouteDefinitions } from "../../http/api-route.ts";
import { openEventStream, type EventStream } from "../../http/event-stream.ts";
import { wholeNumber } from "../../http/query.ts";
import { ProblemError } from "../../http/responses.ts";
import { createChangeFeed, type ChangeFeed } from "../../parts/change-feed.ts";
import type { ServerParts } from "../../parts/server-parts.ts";

/**
 * A page connects again after this time, signed in as it is then. So a stream never outlives its session by more, and a
 * platform's token, which lasts a minute, is enough.
 */
const LIFE_MS = 60_000;
/** Connections of all tenants, and of one. Further pages poll. */
const MOST_STREAMS = 2_000;
const MOST_STREAMS_OF_TENANT = 100;

const EVENT_ROUTES = {
  "GET /events": {
    id: "followChanges",
    summary:
      "Follow changes of the shop's orders as server-sent events. Each `orders` event means: read what you show again. Each stream begins with one. A `notice` event is a notice for your page.",
    role: "viewer",
    query: z.object({
      after: wholeNumber(0, Number.MAX_SAFE_INTEGER)
        .optional()
        .describe("the ID of the last notice that the page got. Default: only new notices"),
    }),
    answers: { 200: "text/event-stream" },
    problems: [429],
  },
} satisfies RouteDefinitions;

type Call = CallOf<typeof EVENT_ROUTES, "GET /events">;

type EventParts = Pick<ServerParts, "store">;

export function createEventRoutes({ store }: EventParts) {
  const feed = createChangeFeed(store);
  return handleRoutes(EVENT_ROUTES, { "GET /events": (call) => follow(store, feed, call) });
}

/** Nothing personal is in an event: that something changed, and notices, which have none. */
async function follow(store: EventParts["store"], feed: ChangeFeed, call: Call): Promise<void> {
  const { req, res, session } = call;
  const { tenant } = session;
  if (feed.count() >= MOST_STREAMS || feed.count(tenant) >= MOST_STREAMS_OF_TENANT) {
    throw new ProblemError(refusalOf(429, "open-pages-limit"), { "Retry-After": "60" });
  }
  const stream = openEventStream(res, { lifeMs: LIFE_MS });
  const sendNotices = createNoticeSender(store, stream, call);
  const send = () => {
    stream.send("orders", {});
    sendNotices();
  };
  const stop = feed.listen(tenant, send);
  // Something may have changed while the page wasn't connected, or a process ended before it announced a change.
  send();
  if (req.method === "HEAD") stream.end();
  await stream.closed;
  stop();
}

/** Sends a person's new notices, one look after the other. A person without any for pages is looked up once per stream. */
function createNoticeSender(
  { notices }: EventParts["store"],
  stream: EventStream,
  { session, query }: Call,
): () => void {
  const { tenant, actor } = session;
  const key = { tenant, actor };
  const takeTurn = createSerialQueue();
  let afterId = query.after ?? 0;
  const begun = begin().catch(() => null);

  /** Whether there is anything to look for. */
  async function begin(): Promise<boolean> {
    const { events } = parseNoticeSettings(await notices.load(key));
    if (!Object.values(events).some((channels) => channels.includes("page"))) return false;
    if (query.after !== undefined) return true;
    afterId = await notices.findNewest(key);
    stream.send("notices", { after: afterId });
    return true;
  }

  async function look(): Promise<void> {
    if ((await begun) !== true) return;
    for (const { noticeId, content } of await notices.listForPages(key, afterId)) {
      afterId = noticeId;
      stream.send("notice", { id: noticeId, ...(content as object) });
    }
  }

  // If the store fails, the next change or the next stream looks again.
  return () => void takeTurn("", look).catch(() => undefined);
}
