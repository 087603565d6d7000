import { createSerialQueue } from "../base/queues.ts";
import type { AlertEvent } from "./alert-event.ts";
import type { AlertNews } from "./alert-message.ts";
import { countAlert, takeNews, toIncident, type Incident } from "./incident.ts";
import type { IncidentFlags } from "./incident-flags.ts";

/** Turns alerts into news: one when an incident begins, some while it goes on, one when it is over. */
export interface Incidents {
  /** Never throws and never waits. */
  hear(event: AlertEvent): void;
  /** Tell of what goes on and is due to be told again. */
  remind(): void;
  /** Wait until everything heard so far is told or counted. */
  settle(): Promise<void>;
  /** Tell now of orders that were counted and not named, since nobody will later. */
  tellRest(): void;
}

/** Parts of {@link createIncidents}. */
export interface IncidentsOptions {
  readonly flags: IncidentFlags;
  readonly tell: (news: AlertNews) => void;
  readonly now: () => number;
  /** Time in which an incident is told once, in milliseconds. */
  readonly windowMs: number;
}

/** Reminders of what lasts become rarer, down to one a day. */
export const LONGEST_WINDOW_MS = 86_400_000;
/** How often an incident that another process told of is looked at: that process may be gone. */
const LOOK_AGAIN_MS = 60_000;
/** More than that at once are forgotten, the oldest first: nobody reads a thousand messages. */
const MAX_INCIDENTS = 1_000;

interface Book extends IncidentsOptions {
  readonly open: Map<string, Incident>;
}

/** Create {@link Incidents}. Where the store cannot say what other processes told, this one tells by itself. */
export function createIncidents(options: IncidentsOptions): Incidents {
  const open = new Map<string, Incident>();
  const book: Book = { ...options, open };
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
    const incident = known ?? toIncident(event, options.windowMs);
    countAlert(incident, event.facts);
    if (known !== undefined) return;
    const [oldest] = open.keys();
    if (open.size >= MAX_INCIDENTS && oldest !== undefined) open.delete(oldest);
    open.set(key, incident);
    run(key, () => begin(book, key, incident));
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
      run(key, () => end(book, key, known, event));
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

async function begin({ flags, now, tell }: Book, key: string, incident: Incident): Promise<void> {
  const answer = await flags.open(key, incident.windowMs);
  if (answer !== "told") tell(takeNews(incident, "opened", now()));
  incident.dueAtMs = now() + (answer === "told" ? LOOK_AGAIN_MS : incident.windowMs);
}

async function goOn({ flags, now, tell, open }: Book, key: string, incident: Incident): Promise<void> {
  if (open.get(key) !== incident) return;
  const { told, lasting, count, windowMs } = incident;
  if (told && count === 0 && !lasting) {
    open.delete(key);
    return;
  }
  const nextWindowMs = lasting ? Math.min(windowMs * 2, LONGEST_WINDOW_MS) : windowMs;
  const answer = await flags.remind(key, nextWindowMs);
  if (answer === "over") {
    open.delete(key);
    return;
  }
  if (answer === "told") {
    incident.dueAtMs = now() + LOOK_AGAIN_MS;
    return;
  }
  incident.windowMs = nextWindowMs;
  tell(takeNews(incident, "reminder", now()));
  incident.dueAtMs = now() + nextWindowMs;
}

async function end(
  { flags, now, tell, windowMs }: Book,
  key: string,
  incident: Incident | undefined,
  event: AlertEvent,
): Promise<void> {
  const answer = await flags.resolve(key);
  const wasTold = answer === "tell" || (answer === "unknown" && incident?.told === true);
  if (wasTold) tell(takeNews(incident ?? toIncident(event, windowMs), "resolved", now()));
}
