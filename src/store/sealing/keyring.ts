import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  createSecretKey,
  hkdfSync,
  randomBytes,
  type KeyObject,
} from "node:crypto";
import { LRUCache } from "lru-cache";
import { atMost } from "../../base/entry-limit.ts";
import { HoldfastError, toConfigError } from "../../base/errors.ts";

/** Encrypts stored values and computes keyed digests, with keys per tenant that are derived from one 32-byte data key. */
export type Keyring = ReturnType<typeof createKeyring>;

const VERSION = 1;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const HEADER_BYTES = 1 + NONCE_BYTES + TAG_BYTES;
/** How many derived keys are cached. HKDF costs about as much as sealing a small row. */
const KEYS_KEPT = 10_000;

export const DATA_KEY_BYTES = 32;

/**
 * Create a {@link Keyring} from a data key: AES-256-GCM with a random nonce and a key per tenant, HMAC-SHA-256 digests.
 *
 * @throws {HoldfastError} `CONFIG_INVALID` if the key isn't 32 bytes long.
 */
export function createKeyring(dataKey: Uint8Array) {
  // Not `instanceof`, because Jest's buffers have another class.
  if (!ArrayBuffer.isView(dataKey)) {
    const got =
      typeof dataKey === "string"
        ? 'a text. Write Buffer.from(text, "base64")'
        : "none. Create them once with randomBytes(32), and keep them with your other secrets";
    throw toConfigError(`\`dataKey\`: expected 32 bytes, got ${got}`);
  }
  if (dataKey.length !== DATA_KEY_BYTES) {
    throw toConfigError(`\`dataKey\` (DATA_KEY): expected ${DATA_KEY_BYTES} bytes, got ${dataKey.length}`);
  }
  // Cache key objects: Node creates one from every key given as bytes, which costs more than sealing or digesting an order.
  const keys = new LRUCache<string, KeyObject>(atMost(KEYS_KEPT));

  function derive(purpose: string, tenant: string): KeyObject {
    const name = `${purpose}\0${tenant}`;
    const known = keys.get(name);
    if (known !== undefined) return known;
    const key = createSecretKey(Buffer.from(hkdfSync("sha256", dataKey, "holdfast", name, 32)));
    keys.set(name, key);
    return key;
  }

  return {
    /** Encrypt and authenticate. Opening needs the same `context` (table, column, row), so that rows can't be swapped. */
    seal(tenant: string, context: string, plain: string | Buffer): Buffer {
      const nonce = randomBytes(NONCE_BYTES);
      const cipher = createCipheriv("aes-256-gcm", derive("seal", tenant), nonce);
      cipher.setAAD(Buffer.from(context));
      const head = cipher.update(typeof plain === "string" ? Buffer.from(plain) : plain);
      const tail = cipher.final();
      return Buffer.concat([Buffer.of(VERSION), nonce, cipher.getAuthTag(), head, tail]);
    },
    /** @throws {HoldfastError} `DATA_UNREADABLE` if the key, the tenant, the context or a byte differs. */
    open(tenant: string, context: string, sealed: Uint8Array): Buffer {
      const bytes = Buffer.from(sealed.buffer, sealed.byteOffset, sealed.byteLength);
      try {
        if (bytes.length < HEADER_BYTES || bytes[0] !== VERSION) throw new Error("not a sealed value");
        const nonce = bytes.subarray(1, 1 + NONCE_BYTES);
        const decipher = createDecipheriv("aes-256-gcm", derive("seal", tenant), nonce, {
          authTagLength: TAG_BYTES,
        });
        decipher.setAAD(Buffer.from(context));
        decipher.setAuthTag(bytes.subarray(1 + NONCE_BYTES, HEADER_BYTES));
        return Buffer.concat([decipher.update(bytes.subarray(HEADER_BYTES)), decipher.final()]);
      } catch (cause) {
        throw new HoldfastError("DATA_UNREADABLE", "a stored value can't be decrypted with this DATA_KEY", {
          retryable: false,
          cause,
        });
      }
    },
    /** A digest that can't be computed without the data key or compared across tenants. */
    digest(tenant: string, purpose: string, text: string | Uint8Array): string {
      return createHmac("sha256", derive(`digest:${purpose}`, tenant))
        .update(text)
        .digest("base64url");
    },
    /**
     * A key for a purpose outside Holdfast, as text of 43 characters. Whoever gets it can make that purpose's digests, and
     * learns nothing about other keys.
     */
    sharedKey(tenant: string, purpose: string): string {
      return derive(`shared:${purpose}`, tenant).export().toString("base64url");
    },
  };
}
