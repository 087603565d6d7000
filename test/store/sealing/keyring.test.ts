import { randomBytes } from "node:crypto";
import { assert, property, string, uint8Array } from "fast-check";
import { describe, expect, it } from "vitest";
import { createKeyring } from "../../../src/store/sealing/keyring.ts";

const dataKey = randomBytes(32);
const keyring = createKeyring(dataKey);
const unreadable = expect.objectContaining({ code: "DATA_UNREADABLE" });

describe("createKeyring", () => {
  it("decrypts what it encrypted, whatever the bytes", () => {
    assert(
      property(uint8Array({ maxLength: 300 }), string(), string(), (bytes, tenant, context) => {
        const sealed = createKeyring(dataKey).seal(tenant, context, Buffer.from(bytes));

        expect(keyring.open(tenant, context, sealed)).toEqual(Buffer.from(bytes));
        expect(keyring.open(tenant, context, new Uint8Array(sealed))).toEqual(Buffer.from(bytes));
      }),
    );
  });

  it("encrypts the same text differently every time", () => {
    expect(keyring.seal("t", "c", "text")).not.toEqual(keyring.seal("t", "c", "text"));
  });

  it("decrypts nothing under another key, tenant or context", () => {
    const sealed = keyring.seal("t", "c", "text");

    expect(() => createKeyring(randomBytes(32)).open("t", "c", sealed)).toThrow(unreadable);
    expect(() => keyring.open("other", "c", sealed)).toThrow(unreadable);
    expect(() => keyring.open("t", "other", sealed)).toThrow(unreadable);
  });

  it("decrypts nothing that has a changed byte or was cut", () => {
    const sealed = keyring.seal("t", "c", "text");

    for (let index = 0; index < sealed.length; index += 1) {
      const changed = Buffer.from(sealed);
      changed[index] = (changed[index] ?? 0) ^ 1;
      expect(() => keyring.open("t", "c", changed)).toThrow(unreadable);
      expect(() => keyring.open("t", "c", sealed.subarray(0, index))).toThrow(unreadable);
    }
  });

  it("digests per tenant, purpose and key", () => {
    const digest = keyring.digest("t", "p", "text");

    expect(createKeyring(dataKey).digest("t", "p", "text")).toBe(digest);
    for (const other of [
      keyring.digest("u", "p", "text"),
      keyring.digest("t", "q", "text"),
      keyring.digest("t", "p", "Text"),
      createKeyring(randomBytes(32)).digest("t", "p", "text"),
    ]) {
      expect(other).not.toBe(digest);
    }
  });

  it("refuses a key of the wrong length without repeating it", () => {
    const short = randomBytes(31);

    expect(() => createKeyring(short)).toThrow(expect.objectContaining({ code: "CONFIG_INVALID" }));
    expect(() => createKeyring(short)).toThrow("`dataKey` (DATA_KEY): expected 32 bytes, got 31");
  });
});
