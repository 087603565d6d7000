import { randomBytes } from "node:crypto";

/** Makes personal tokens recognizable to secret scanners, and to us before we query the store. */
const PREFIX = "hf_";
const TOKEN_BYTES = 32;
const TOKEN = /^hf_[\w-]{43}$/;
/** Enough that two people of a tenant do not meet. */
const ACTOR_BYTES = 9;

/** A new token for a person: 256 random bits, as text. */
export function createPersonToken(): string {
  return `${PREFIX}${randomBytes(TOKEN_BYTES).toString("base64url")}`;
}

/** A name for a new person with a token: `person:key-…`. */
export function createTokenActor(): string {
  return `person:key-${randomBytes(ACTOR_BYTES).toString("base64url")}`;
}

/** Whether a text has the form of a person's token. */
export function isPersonToken(text: string): boolean {
  return TOKEN.test(text);
}
