import { randomUUID } from "node:crypto";
import { findTraits } from "../base/alerts.ts";
import { createBackground, createSerialQueue } from "../base/waiting.ts";
import type { IncidentKey } from "../store/store.ts";
import type { AlertEvent, AlertFacts } from "./alert-event.ts";
import type { AlertNews } from "./alert-message.ts";
import type { Sending, SendingOptions } from "./sending.ts";

/** Time in which an incident is reported once, in milliseconds. */
const WINDOW_MS = 3_600_000;
/** Reminders of a lasting incident become rarer, down to one a day. */
const LONGEST_WINDOW_MS = 86_400_000;
/** How often to look at an incident that another process sent: that process may be gone. */
const LOOK_AGAIN_MS = 60_000;
/** Most incidents remembered at once; the oldest is forgotten first. */
const MAX_INCIDENTS = 1_000;

interface IncidentsOptions extends Pick<SendingOptions, "send" | "now"> {
  readonly sending: Sending;
}

interface Book extends IncidentsOptions {
  readonly open: Map<string, Incident>;
}

/**
 * Turn alerts into messages: one when an incident begins, reminders while it lasts, one when it is over. If the store
 * doesn't say what other processes have sent, this process sends its own.
 */
export function createIncidents(options: IncidentsOptions) {
  const { sending } = options;
  const open = new Map<string, Incident>();
  const book: Book = { ...options, open };
  const underWay = createBackground();
  const takeTurn = createSerialQueue();

  const run = (key: string, work: () => Promise<void>): void => void underWay.add(takeTurn(key, work));

  function raise(key: string, event: AlertEvent): void {
    const known = open.get(key);
    const incident = known ?? toIncident(event, options.now());
    countAlert(incident, event.facts);
    if (known !== undefined) return;
    const [oldest] = open.keys();
    if (open.size >= MAX_INCIDENTS && oldest !== undefined) open.delete(oldest);
    open.set(key, incident);
    run(key, () => begin(book, incident));
  }

  function resolve(key: string, event: AlertEvent): void {
    const known = open.get(key);
    open.delete(key);
    run(key, () => end(book, known, event));
  }

  return {
    /**
     * Never throws and never waits.
     *
     * @param isNoted - Resolves when the store has what else it needs to keep of the line.
     */
    hear(event: AlertEvent, isNoted?: Promise<void>): void {
      const { incident: key, kept } = event;
      if (event.kind === "raised") raise(key, event);
      else resolve(key, event);
      if (kept === undefined) return;
      run(key, async () => {
        await isNoted;
        await sending.forget(kept);
      });
    },
    /** Send due reminders of lasting incidents, and messages that a process left unsent when it ended. */
    remind(): void {
      const nowMs = options.now();
      if (sending.isLookDue()) run("", () => sending.takeOver());
      for (const [key, incident] of open) {
        if (!isDue(incident, nowMs)) continue;
        incident.dueAtMs = Number.POSITIVE_INFINITY;
        run(key, () => goOn(book, key, incident));
      }
    },
    /** Wait until everything so far is reported or counted. */
    settle: () => underWay.settle(),
    /** Send the order ids that no message has named yet, since this is the last chance. */
    reportRest(): void {
      for (const incident of open.values()) {
        if (!incident.isSent || incident.orderIds.size === 0) continue;
        void options.send(takeNews(incident, "reminder", options.now()), randomUUID());
      }
    },
    /** Wait until the store knows which messages were sent. Call it when no message is being sent any more. */
    settleSent: () => sending.settle(),
  };
}

/** Whether the next step is due. A moment further ahead than it can be was written before the clock was set back. */
function isDue({ dueAtMs, windowMs }: Incident, nowMs: number): boolean {
  const isRunning = dueAtMs === Number.POSITIVE_INFINITY;
  return !isRunning && (dueAtMs <= nowMs || dueAtMs > nowMs + Math.max(windowMs, LOOK_AGAIN_MS));
}

async function begin(book: Book, incident: Incident): Promise<void> {
  const { now, sending } = book;
  const { key, windowMs } = incident;
  const message = sending.write(key, toNews(incident, "opened", now()));
  const report = { ...message, nowMs: now(), quietMs: windowMs };
  const opened = await sending.ask((store) => store.incidents.open(report));
  const isNews = opened?.isNews ?? true;
  if (isNews) sending.send(message, takeNews(incident, "opened", now()));
  incident.dueAtMs = now() + (isNews ? windowMs : LOOK_AGAIN_MS);
}

async function goOn({ now, sending, open }: Book, id: string, incident: Incident): Promise<void> {
  if (open.get(id) !== incident) return;
  const { key, isSent, lasting, count, windowMs } = incident;
  if (isSent && count === 0 && !lasting) {
    open.delete(id);
    return;
  }
  const quietMs = lasting ? Math.min(windowMs * 2, LONGEST_WINDOW_MS) : windowMs;
  const message = sending.write(key, toNews(incident, "reminder", now()));
  const answer = await sending.ask((store) => store.incidents.remind({ ...message, nowMs: now(), quietMs }));
  if (answer === "over") {
    open.delete(id);
    return;
  }
  if (answer === "quiet") {
    incident.dueAtMs = now() + LOOK_AGAIN_MS;
    return;
  }
  incident.windowMs = quietMs;
  sending.send(message, takeNews(incident, "reminder", now()));
  incident.dueAtMs = now() + quietMs;
}

/** An incident that isn't known here was reported by a process that is gone, perhaps without the store. */
async function end({ now, sending }: Book, known: Incident | undefined, event: AlertEvent): Promise<void> {
  const incident = known ?? toIncident(event, 0);
  const { key, beganAtMs, isSent } = incident;
  const message = sending.write(key, toNews(incident, "resolved", now()));
  const isNews = await sending.ask((store) => store.incidents.resolve(message, now(), beganAtMs));
  if (isNews ?? isSent) sending.send(message, takeNews(incident, "resolved", now()));
}

/** What this process knows about one incident. */
type Incident = ReturnType<typeof toIncident>;

/** Most order ids in one message; people find the others in the console. */
const MAX_ORDER_IDS = 20;

/** An incident that was unknown to this process until `beganAtMs`. */
function toIncident({ name, incident, facts }: AlertEvent, beganAtMs: number) {
  const key: IncidentKey = { tenant: facts.tenant, name: `alert:${incident}` };
  return {
    /** Its name in the store. */
    key,
    name,
    /** When it was first raised in this process, in milliseconds since the epoch. */
    beganAtMs,
    /** Whether it lasts until a log line says that it is over. */
    lasting: findTraits(name)?.lasting === true,
    /** The facts of the latest alert. */
    facts,
    /** Alerts since the last message. */
    count: 0,
    /** All alerts so far. */
    total: 0,
    /** Orders since the last message. */
    orderIds: new Set<string>(),
    /** Whether this process sent it. */
    isSent: false,
    /** Time until it is reported again, in milliseconds. */
    windowMs: WINDOW_MS,
    /** When the next step is due, in milliseconds since the epoch; infinite while a step is running. */
    dueAtMs: Number.POSITIVE_INFINITY,
  };
}

function countAlert(incident: Incident, facts: AlertFacts): void {
  incident.facts = facts;
  incident.count += 1;
  incident.total += 1;
  if (facts.orderId !== undefined && incident.orderIds.size < MAX_ORDER_IDS) {
    incident.orderIds.add(facts.orderId);
  }
}

function toNews(incident: Incident, moment: AlertNews["moment"], nowMs: number): AlertNews {
  const { name, facts, orderIds, total } = incident;
  const count = moment === "resolved" ? total : incident.count;
  return { moment, name, facts, orderIds: [...orderIds], count, nowMs };
}

/** The news to send now. The count starts again. */
function takeNews(incident: Incident, moment: AlertNews["moment"], nowMs: number): AlertNews {
  const news = toNews(incident, moment, nowMs);
  incident.count = 0;
  incident.orderIds.clear();
  incident.isSent = true;
  return news;
}
