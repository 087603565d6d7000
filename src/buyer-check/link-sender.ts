import type { Dispatcher } from "undici";
import type { AlertEmailConfig, AlertWebhookConfig } from "../alerts/alert-config.ts";
import { createEmailChannel } from "../alerts/email-channel.ts";
import type { Delivery } from "../alerts/outbox.ts";
import { createWebhookChannel } from "../alerts/webhook-channel.ts";
import type { LinkRoute } from "../order/buyer-check.ts";
import type { Recipient } from "../store/buyer-checks/buyer-check.ts";
import type { LinkMessage } from "./link-message.ts";

export interface LinkSenderOptions {
  /** The address under which buyers reach this app. Without it, nobody can be asked. */
  readonly publicUrl: string | undefined;
  /** The mail server. Default: none. */
  readonly mail?: Pick<AlertEmailConfig, "smtpUrl" | "from"> | undefined;
  /** The shop's own mail system, which comes before the mail server. Default: none. */
  readonly webhook?: AlertWebhookConfig | undefined;
  /** For the webhook. Default: its own connections. */
  readonly dispatcher?: Dispatcher | undefined;
}

/** Sends links to buyers. */
export type LinkSender = ReturnType<typeof createLinkSender>;

export function createLinkSender({ publicUrl, mail, webhook, dispatcher }: LinkSenderOptions) {
  return {
    publicUrl,
    /** How a link gets there. */
    routeTo({ kind }: Recipient): LinkRoute {
      if (webhook !== undefined) return "webhook";
      return mail !== undefined && kind === "email" ? "email" : "reviewer";
    },
    /** Make one attempt, within the channel's time limit. Never rejects. */
    async send(route: LinkRoute, { to, ...message }: LinkMessage, signal: AbortSignal): Promise<Delivery> {
      const channel =
        route === "webhook" && webhook !== undefined
          ? createWebhookChannel({ ...webhook, dispatcher })
          : route === "email" && mail !== undefined
            ? createEmailChannel({ ...mail, to: [to] })
            : undefined;
      if (channel === undefined) return { outcome: "failed", retryable: false, problem: "not-configured" };
      try {
        return await channel.send(message, signal);
      } finally {
        await channel.close();
      }
    },
  };
}
