// The block list as Holdfast writes it into the rule's metafield, `toCheckoutListText` in src/policy/checkout-list.ts:
// version, key and digests, with dots between them. Every digest has the same length.

import { hmacSha256 } from "./hmac";

const VERSION = "1";
const KEY_LENGTH = 43;
const DIGEST_LENGTH = 8;
const DIGEST_BYTES = 6;
const BASE64URL = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

export class BlockList {
  constructor(
    private readonly key: Uint8Array,
    private readonly digests: string,
  ) {}

  /** Whether a text is on the list. Null never is. */
  has(purpose: string, text: string | null): bool {
    if (text == null) return false;
    const bytes = Uint8Array.wrap(String.UTF8.encode(purpose + "\0" + text));
    const digest = toBase64Url(hmacSha256(this.key, bytes));
    const length = this.digests.length;
    for (let at = 0; at < length; at += DIGEST_LENGTH) {
      let same = 0;
      while (same < DIGEST_LENGTH && this.digests.charCodeAt(at + same) == digest.charCodeAt(same)) same++;
      if (same == DIGEST_LENGTH) return true;
    }
    return false;
  }
}

/** The list in a metafield; null for none, another version or a damaged one. */
export function readBlockList(text: string): BlockList | null {
  const parts = text.split(".");
  if (parts.length != 3 || parts[0] != VERSION || parts[1].length != KEY_LENGTH) return null;
  const digests = parts[2];
  if (digests.length == 0 || digests.length % DIGEST_LENGTH != 0) return null;
  return new BlockList(Uint8Array.wrap(String.UTF8.encode(parts[1])), digests);
}

function toBase64Url(digest: Uint8Array): string {
  let text = "";
  for (let i = 0; i < DIGEST_BYTES; i += 3) {
    const bits = ((<u32>digest[i]) << 16) | ((<u32>digest[i + 1]) << 8) | digest[i + 2];
    for (let shift = 18; shift >= 0; shift -= 6) text += BASE64URL.charAt((bits >> shift) & 63);
  }
  return text;
}
