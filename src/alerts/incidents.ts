import { createSerialQueue, withinDeadline } from "../base/waiting.ts";
import type { IncidentStore, IncidentKey } from "../store/store.ts";
import type { AlertEvent, AlertFacts } from "./alert-event.ts";
import type { AlertNews, AlertMoment } from "./alert-message.ts";
import { findAlertText } from "./alert-texts.ts";

/** Parts of {@link createIncidents}. */
interface IncidentsOptions {
  /** Asked each time: the store is opened later than the first alert can come. */
  readonly store: () => IncidentStore | undefined;
  readonly tell: (news: AlertNews) => void;
  readonly now: () => number;
  /** Time in which an incident is reported once, in milliseconds. */
  readonly windowMs: number;
}

/** Reminders of what lasts become rarer, down to one a day. */
const LONGEST_WINDOW_MS = 86_400_000;
/** How often to look at an incident that another process sent: that process may be gone. */
const LOOK_AGAIN_MS = 60_000;
/** More than that at once are forgotten, the oldest first: nobody reads a thousand messages. */
const MAX_INCIDENTS = 1_000;
const STORE_TIMEOUT_MS = 5_000;
/** After the store failed it is not waited for again at once, or one alert after the other would be late. */
const STORE_REST_MS = 30_000;

interface Book extends IncidentsOptions {
  readonly ask: Ask;
  readonly open: Map<string, Incident>;
}

/**
 * Turn alerts into news: one when an incident begins, some while it goes on, one when it is over. Where the store cannot say
 * what other processes told, this one tells by itself.
 */
export function createIncidents(options: IncidentsOptions) {
  const open = new Map<string, Incident>();
  const book: Book = { ...options, ask: createAsk(options), open };
  const underWay = new Set<Promise<void>>();
  const takeTurn = createSerialQueue();

  function run(key: string, work: () => Promise<void>): void {
    const done = takeTurn(key, work)
      // Nothing in it throws; a defect here must not end the process that does the work.
      .catch(() => undefined)
      .finally(() => underWay.delete(done));
    underWay.add(done);
  }

  function raise(key: string, event: AlertEvent): void {
    const known = open.get(key);
    const incident = known ?? toIncident(event, options.windowMs, options.now());
    countAlert(incident, event.facts);
    if (known !== undefined) return;
    const [oldest] = open.keys();
    if (open.size >= MAX_INCIDENTS && oldest !== undefined) open.delete(oldest);
    open.set(key, incident);
    run(key, () => begin(book, incident));
  }

  return {
    /** Never throws and never waits. */
    hear(event: AlertEvent): void {
      const key = event.incident;
      if (event.kind === "raised") {
        raise(key, event);
        return;
      }
      const known = open.get(key);
      open.delete(key);
      run(key, () => end(book, known, event));
    },
    /** Send reminders of what still goes on, as far as they are due. */
    remind(): void {
      const nowMs = options.now();
      for (const [key, incident] of open) {
        if (incident.dueAtMs > nowMs) continue;
        incident.dueAtMs = Number.POSITIVE_INFINITY;
        run(key, () => goOn(book, key, incident));
      }
    },
    /** Wait until everything so far is reported or counted. */
    async settle(): Promise<void> {
      while (underWay.size > 0) await Promise.all(underWay);
    },
    /** Tell now of orders that were counted and not named, since nobody will later. */
    tellRest(): void {
      for (const incident of open.values()) {
        if (!incident.told || incident.orderIds.size === 0) continue;
        options.tell(takeNews(incident, "reminder", options.now()));
      }
    },
  };
}

/** Ask the store; undefined: it cannot say what other processes told, at least not in time. */
type Ask = <T>(work: (store: IncidentStore) => Promise<T>) => Promise<T | undefined>;

function createAsk({ store, now }: IncidentsOptions): Ask {
  let restUntilMs = Number.NEGATIVE_INFINITY;
  return async (work) => {
    const shared = store();
    if (shared === undefined || now() < restUntilMs) return undefined;
    try {
      const answer = await withinDeadline(work(shared), STORE_TIMEOUT_MS);
      if (answer !== undefined) return answer;
    } catch {
      // The store's own alert reports it.
    }
    restUntilMs = now() + STORE_REST_MS;
    return undefined;
  };
}

async function begin({ ask, now, tell }: Book, incident: Incident): Promise<void> {
  const { key, windowMs } = incident;
  const opened = await ask((store) => store.openIncident({ ...key, nowMs: now(), quietMs: windowMs }));
  const isNews = opened?.isNews ?? true;
  if (isNews) tell(takeNews(incident, "opened", now()));
  incident.dueAtMs = now() + (isNews ? windowMs : LOOK_AGAIN_MS);
}

async function goOn({ ask, now, tell, open }: Book, id: string, incident: Incident): Promise<void> {
  if (open.get(id) !== incident) return;
  const { key, told, lasting, count, windowMs } = incident;
  if (told && count === 0 && !lasting) {
    open.delete(id);
    return;
  }
  const quietMs = lasting ? Math.min(windowMs * 2, LONGEST_WINDOW_MS) : windowMs;
  const answer = await ask((store) => store.remindIncident({ ...key, nowMs: now(), quietMs }));
  if (answer === "over") {
    open.delete(id);
    return;
  }
  if (answer === "told") {
    incident.dueAtMs = now() + LOOK_AGAIN_MS;
    return;
  }
  incident.windowMs = quietMs;
  tell(takeNews(incident, "reminder", now()));
  incident.dueAtMs = now() + quietMs;
}

/** One that is not known here was reported by a process that is gone, perhaps without the store. */
async function end(
  { ask, now, tell, windowMs }: Book,
  known: Incident | undefined,
  event: AlertEvent,
): Promise<void> {
  const incident = known ?? toIncident(event, windowMs, 0);
  const { key, beganAtMs, told } = incident;
  const isNews = await ask((store) => store.resolveIncident(key, now(), beganAtMs));
  if (isNews ?? told) tell(takeNews(incident, "resolved", now()));
}

/** What this process knows of one incident. */
interface Incident {
  /** Names it in the store. */
  readonly key: IncidentKey;
  readonly name: string;
  /** When this process heard of it first, milliseconds since the epoch. */
  readonly beganAtMs: number;
  /** It goes on until somebody says that it is over. */
  readonly lasting: boolean;
  /** Of the latest alert. */
  facts: AlertFacts;
  /** Alerts since the last message. */
  count: number;
  /** Alerts over all. */
  total: number;
  /** Orders since the last message. */
  readonly orderIds: Set<string>;
  /** Whether this process sent it. */
  told: boolean;
  /** Time until it is reported again, in milliseconds. */
  windowMs: number;
  /** When there is something to do about it, in milliseconds since the epoch; never while it is being done. */
  dueAtMs: number;
}

/** More orders than that are looked up in the console. */
const MAX_ORDER_IDS = 20;

/** An incident that nobody here knew of until `beganAtMs`. */
function toIncident({ name, incident, facts }: AlertEvent, windowMs: number, beganAtMs: number): Incident {
  const lasting = findAlertText(name)?.lasting === true;
  const dueAtMs = Number.POSITIVE_INFINITY;
  return {
    key: { tenant: facts.tenant, name: `alert:${incident}` },
    name,
    beganAtMs,
    lasting,
    facts,
    count: 0,
    total: 0,
    orderIds: new Set(),
    told: false,
    windowMs,
    dueAtMs,
  };
}

/** Take in one more alert of an incident. */
function countAlert(incident: Incident, facts: AlertFacts): void {
  incident.facts = facts;
  incident.count += 1;
  incident.total += 1;
  if (facts.orderId !== undefined && incident.orderIds.size < MAX_ORDER_IDS) {
    incident.orderIds.add(facts.orderId);
  }
}

/** What to report about an incident now. Its count starts again from here. */
function takeNews(incident: Incident, moment: AlertMoment, nowMs: number): AlertNews {
  const { name, facts, orderIds, total } = incident;
  const count = moment === "resolved" ? total : incident.count;
  const news = { moment, name, facts, orderIds: [...orderIds], count, nowMs };
  incident.count = 0;
  orderIds.clear();
  incident.told = true;
  return news;
}
