import { createSerialQueue, withinDeadline } from "../base/waiting.ts";
import type { IncidentStore } from "../store/store.ts";
import type { AlertEvent } from "./alert-event.ts";
import type { AlertNews } from "./alert-message.ts";
import { countAlert, takeNews, toIncident, type Incident } from "./incident.ts";

/** Turns alerts into news: one when an incident begins, some while it goes on, one when it is over. */
export interface Incidents {
  /** Never throws and never waits. */
  hear(event: AlertEvent): void;
  /** Send reminders of what still goes on, as far as they are due. */
  remind(): void;
  /** Wait until everything heard so far is told or counted. */
  settle(): Promise<void>;
  /** Tell now of orders that were counted and not named, since nobody will later. */
  tellRest(): void;
}

/** Parts of {@link createIncidents}. */
export interface IncidentsOptions {
  /** Asked each time: the store is opened later than the first alert can come. */
  readonly store: () => IncidentStore | undefined;
  readonly tell: (news: AlertNews) => void;
  readonly now: () => number;
  /** Time in which an incident is told once, in milliseconds. */
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

/** Create {@link Incidents}. Where the store cannot say what other processes told, this one tells by itself. */
export function createIncidents(options: IncidentsOptions): Incidents {
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
    hear(event) {
      const key = event.incident;
      if (event.kind === "raised") {
        raise(key, event);
        return;
      }
      const known = open.get(key);
      open.delete(key);
      run(key, () => end(book, known, event));
    },
    remind() {
      const nowMs = options.now();
      for (const [key, incident] of open) {
        if (incident.dueAtMs > nowMs) continue;
        incident.dueAtMs = Number.POSITIVE_INFINITY;
        run(key, () => goOn(book, key, incident));
      }
    },
    async settle() {
      while (underWay.size > 0) await Promise.all(underWay);
    },
    tellRest() {
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

/** One that is not known here was told by a process that is gone, perhaps without the store. */
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
