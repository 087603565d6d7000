import {
  toRaised,
  toResolved,
  writeAlertLine,
  type AlertLine,
  type AlertName,
  type FactsOf,
  type LastingAlert,
} from "../base/alerts.ts";
import type { Logger } from "../base/logger.ts";
import type { IncidentReport } from "../store/incidents/incidents.ts";
import type { IncidentKey, Store } from "../store/store.ts";

interface Parts {
  readonly store: Pick<Store, "incidents">;
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
export async function alertOnce<Name extends AlertName>(
  { store, logger, now }: Parts,
  incident: Pick<IncidentReport, "tenant" | "name" | "quietMs">,
  name: Name,
  facts: FactsOf<Name>,
  message: string,
): Promise<void> {
  const { line, unsent } = toKeptLine(incident, toRaised(name, facts));
  if ((await store.incidents.open({ ...incident, nowMs: now(), unsent })).isNews)
    writeAlertLine(logger, line, message);
}

/** Log that an incident of {@link alertOnce} is over, if it was open, in the same way. */
export async function reportOver(
  { store, logger, now }: Parts,
  incident: IncidentKey,
  name: LastingAlert,
  facts: AlertLine,
  message: string,
): Promise<void> {
  const { line, unsent } = toKeptLine(incident, toResolved(name, facts));
  if (await store.incidents.resolve({ ...incident, unsent }, now())) writeAlertLine(logger, line, message);
}
