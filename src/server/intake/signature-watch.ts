import { raiseAlert } from "../../base/alerts.ts";
import { alertOnce, reportOver } from "../../alerts/alert-once.ts";
import { createSerialQueue } from "../../base/waiting.ts";
import type { ServerParts } from "../parts/server-parts.ts";

/** Refused webhooks in a row that are an alert. Anybody can send a single one. */
const REFUSED_IN_A_ROW = 3;
/** The alert is repeated this often while none is accepted, in milliseconds. */
const EVERY_MS = 3_600_000;
const ALERT = "webhooks_unauthenticated";

/** The incident that all signatures of a platform's webhooks are refused. */
export function toSignatureIncident(platform: string): string {
  return `${ALERT}:${platform}`;
}

/**
 * Notices that a platform's webhooks are signed with a secret that this process doesn't know, which happens if its secret is
 * wrong. Never throws, and never delays an answer.
 */
export function createSignatureWatch(
  { store, logger, now }: Pick<ServerParts, "store" | "logger" | "now">,
  platform: string,
) {
  const incident = { name: toSignatureIncident(platform), quietMs: EVERY_MS };
  const inTurn = createSerialQueue();
  let refusedInARow = 0;
  let raisedAtMs = -Infinity;
  /** An earlier process may have left the incident open. */
  let isOver = false;

  const run = (work: () => Promise<void>, onFailure: (error: unknown) => void): void =>
    void inTurn("", work).catch(onFailure);

  return {
    /** A webhook was refused although it is signed. */
    refused(): void {
      refusedInARow += 1;
      if (refusedInARow < REFUSED_IN_A_ROW || Math.abs(now() - raisedAtMs) < EVERY_MS) return;
      raisedAtMs = now();
      isOver = false;
      const message = "webhooks are refused, because they're signed with another secret";
      const raise = () => alertOnce({ store, logger, now }, incident, ALERT, { platform }, message);
      run(raise, (err) => raiseAlert(logger, ALERT, { platform, err }, message));
    },
    /** A webhook was signed with a known secret. */
    accepted(): void {
      refusedInARow = 0;
      raisedAtMs = -Infinity;
      if (isOver) return;
      isOver = true;
      const resolve = () =>
        reportOver({ store, logger, now }, incident, ALERT, { platform }, "webhooks are accepted again");
      // The next accepted one tries again.
      run(resolve, () => void (isOver = false));
    },
  };
}
