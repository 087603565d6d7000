import type { Logger } from "../base/logger.ts";
import type { IncidentReport } from "../store/incidents/incidents.ts";
import type { IncidentKey, IncidentStore } from "../store/store.ts";
import { findAlert } from "./all-alerts.ts";

/** The fields of a log line that is an alert, or that says that one is over. Ids, codes and numbers. */
type AlertLine = Readonly<Record<string, unknown>>;

interface Parts<Verb extends keyof IncidentStore> {
  readonly store: Pick<IncidentStore, Verb>;
  readonly logger: Logger;
  readonly now: () => number;
}

/** The fields to log. The store keeps them with the incident until the alert is on its way to people. */
export function toKeptLine({ name }: IncidentKey, fields: AlertLine) {
  const line = { ...fields, incident: name };
  return { line, unsent: JSON.stringify(line) };
}

/**
 * Log an alert once in the incident's quiet time, whichever process comes first. If that process is killed before the alert is
 * on its way to people, another one logs it again.
 */
export async function alertOnce(
  { store, logger, now }: Parts<"openIncident">,
  incident: Pick<IncidentReport, "tenant" | "name" | "quietMs">,
  fields: AlertLine,
  message: string,
): Promise<void> {
  const { line, unsent } = toKeptLine(incident, fields);
  if ((await store.openIncident({ ...incident, nowMs: now(), unsent })).isNews)
    writeLine(logger, line, message);
}

/** Log that an incident of {@link alertOnce} is over, if it was open, in the same way. */
export async function reportOver(
  { store, logger, now }: Parts<"resolveIncident">,
  incident: IncidentKey,
  fields: AlertLine,
  message: string,
): Promise<void> {
  const { line, unsent } = toKeptLine(incident, fields);
  if (await store.resolveIncident({ ...incident, unsent }, now())) writeLine(logger, line, message);
}

export function writeLine(logger: Logger, line: AlertLine, message: string): void {
  const { alert } = line;
  const level = typeof alert === "string" ? (findAlert(alert)?.level ?? "error") : "info";
  logger[level](line, message);
}
