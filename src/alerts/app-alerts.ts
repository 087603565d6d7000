import type { Logger } from "../base/logger.ts";
import type { AlertsConfig } from "./alert-config.ts";
import type { AlertChannel } from "./channel.ts";
import { createEmailChannel } from "./email-channel.ts";
import { createNotifier, type NotifierSurroundings, withAlerts } from "./notifier.ts";
import { createWebhookChannel } from "./webhook-channel.ts";

/** The app's log, which also sends its alerts to people. */
export interface AppAlerts {
  /** What is logged here is told as well. */
  readonly logger: Logger;
  attach(surroundings: NotifierSurroundings): void;
  close(): Promise<void>;
}

/** Parts of {@link createAppAlerts}. */
export interface AppAlertsOptions {
  /** Undefined: beside the log, tenants alone are told. */
  readonly config: AlertsConfig | undefined;
  readonly logger: Logger;
  readonly version: string;
  readonly now: () => number;
}

/** Create {@link AppAlerts}. Without a configuration nobody is told but tenants, at the addresses that they gave. */
export function createAppAlerts({ config, logger, version, now }: AppAlertsOptions): AppAlerts {
  const channels: AlertChannel[] = [];
  if (config?.webhook !== undefined) channels.push(createWebhookChannel(config.webhook));
  if (config?.email !== undefined) channels.push(createEmailChannel(config.email));
  const notifier = createNotifier({ channels, mail: config?.email, logger, version, now });
  return {
    logger: withAlerts(logger, notifier.hear),
    attach: (surroundings) => notifier.attach(surroundings),
    close: () => notifier.close(),
  };
}
