import { createHmac } from "node:crypto";

/** With a shorter key, anyone who sees one signed message can try keys until one fits. */
const MIN_SECRET_LENGTH = 16;
/** Prefix of a Standard Webhooks secret. The key follows in base64. */
const PREFIX = "whsec_";
/** The key sizes that Standard Webhooks prescribes. */
const [MIN_KEY_BYTES, MAX_KEY_BYTES] = [24, 64];

/** What {@link isWebhookSecret} accepts. */
export const WEBHOOK_SECRET_LIMITS = {
  prefix: PREFIX,
  min: MIN_KEY_BYTES,
  max: MAX_KEY_BYTES,
  least: MIN_SECRET_LENGTH,
};

export function isWebhookSecret(text: string): boolean {
  if (!/^[\x21-\x7e]+$/.test(text) || text.length < MIN_SECRET_LENGTH) return false;
  return !text.startsWith(PREFIX) || decodeKey(text) !== undefined;
}

/**
 * The headers that Standard Webhooks prescribes (standardwebhooks.com).
 *
 * @param id - the same in every attempt; without a full stop, which separates the signed parts.
 * @param nowMs - when this attempt is made.
 */
export function signWebhook(
  secret: string,
  id: string,
  nowMs: number,
  body: string,
): Readonly<Record<string, string>> {
  const key = decodeKey(secret) ?? Buffer.from(secret);
  const timestamp = String(Math.floor(nowMs / 1000));
  const hmac = createHmac("sha256", key).update(`${id}.${timestamp}.${body}`);
  return {
    "webhook-id": id,
    "webhook-timestamp": timestamp,
    "webhook-signature": `v1,${hmac.digest("base64")}`,
  };
}

/** The key of a `whsec_` secret; undefined for any other text, whose bytes are the key. */
function decodeKey(secret: string): Buffer | undefined {
  const [, encoded = ""] = /^whsec_([A-Za-z0-9+/]+={0,2})$/.exec(secret) ?? [];
  const key = Buffer.from(encoded, "base64");
  return key.length >= MIN_KEY_BYTES && key.length <= MAX_KEY_BYTES ? key : undefined;
}
