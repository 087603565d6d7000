import { deepEqual, equal, ok } from "node:assert/strict";
import type { Authentication, RawDelivery } from "../platform/platform.ts";
import type { AdapterCheck, AdapterUnderTest, NamedCheck } from "./adapter-under-test.ts";

type Header = string | readonly string[] | undefined;

type Forge = (signature: string, body: Buffer) => { readonly header?: Header; readonly body?: Buffer };

/** Changes to a signed delivery, after which it must no longer count as signed. */
const FORGERIES: readonly (readonly [what: string, forge: Forge])[] = [
  ["without a signature", () => ({ header: undefined })],
  ["with an empty signature", () => ({ header: "" })],
  ["with text that isn't a signature", () => ({ header: "%%% not a signature %%%" })],
  ["with a wrong signature of the right length", (signature) => ({ header: garble(signature) })],
  ["with a signature that is cut short", (signature) => ({ header: signature.slice(0, -4) })],
  ["with a signature that is too long", (signature) => ({ header: `${signature}AAAA` })],
  ["with the signature sent twice, as a list", (signature) => ({ header: [signature, signature] })],
  ["with the signature sent twice, joined", (signature) => ({ header: `${signature}, ${signature}` })],
  ["with the right signature after a wrong one", (signature) => ({ header: [garble(signature), signature] })],
  ["with one byte changed", (_signature, body) => ({ body: flipByte(body) })],
  ["with a space added", (_signature, body) => ({ body: Buffer.concat([body, Buffer.from(" ")]) })],
  ["with an empty body", () => ({ body: Buffer.alloc(0) })],
];

/** Headers and bodies that no platform sends. */
const JUNK: readonly RawDelivery[] = [
  { headers: {}, body: Buffer.alloc(0) },
  { headers: { "content-length": "-1" }, body: Buffer.from([0xff, 0xfe, 0x00]) },
  { headers: { "x-tenant": ["a", "b"] }, body: Buffer.from("null") },
];

/** Cases for authenticating deliveries. */
export const AUTHENTICATION_CHECKS: Readonly<Record<string, AdapterCheck>> = {
  "accepts a signed delivery of its tenant": async (adapter) => {
    const accepted = expectAccepted(adapter.platform.authenticate((await adapter.placeOrder()).delivery));
    equal(accepted.tenant, adapter.tenant);
    ok(
      adapter.tenant.startsWith(`${adapter.platform.name}:`),
      "expected the tenant to begin with the platform",
    );
    ok(accepted.deliveryId !== "" && accepted.topic !== "", "expected a delivery id and a topic");
  },
  "gives a repeated delivery the same id": async (adapter) => {
    const { platform } = adapter;
    const { delivery } = await adapter.placeOrder();
    deepEqual(platform.authenticate(delivery), platform.authenticate(delivery));
  },
  "gives each delivery its own id": (adapter) => {
    const ids = ['{"id":1}', '{"id":2}'].map(
      (body) => expectAccepted(adapter.platform.authenticate(adapter.sign(Buffer.from(body)))).deliveryId,
    );
    ok(ids[0] !== ids[1], "expected two deliveries to have two ids");
  },
  ...Object.fromEntries(
    FORGERIES.map(([what, forge]): NamedCheck => [
      `refuses a delivery ${what}`,
      async (adapter) => {
        const { delivery } = await adapter.placeOrder();
        const { outcome } = adapter.platform.authenticate(toForged(adapter, delivery, forge));
        equal(outcome, "unauthenticated");
      },
    ]),
  ),
  "refuses a delivery with another delivery's signature": async (adapter) => {
    const { delivery } = await adapter.placeOrder();
    const other = adapter.sign(Buffer.from('{"id":1}'));
    const { outcome } = adapter.platform.authenticate({ ...other, body: delivery.body });
    equal(outcome, "unauthenticated");
  },
  "refuses what no platform sends, without throwing": ({ platform }) => {
    for (const delivery of JUNK) {
      const { outcome } = platform.authenticate(delivery);
      ok(outcome === "unauthenticated" || outcome === "unusable", `expected a refusal, got ${outcome}`);
    }
  },
};

/** The accepted authentication. Fails if it is a refusal. */
export function expectAccepted(
  authentication: Authentication,
): Extract<Authentication, { readonly outcome: "accepted" }> {
  if (authentication.outcome === "accepted") return authentication;
  throw new Error(
    `expected the delivery to be accepted, got ${authentication.outcome}: ${authentication.reason}`,
  );
}

function toForged({ signatureHeader }: AdapterUnderTest, delivery: RawDelivery, forge: Forge): RawDelivery {
  const signature = delivery.headers[signatureHeader];
  ok(typeof signature === "string", "expected the placed order's delivery to carry signatureHeader as text");
  const forged = forge(signature, delivery.body);
  return {
    headers:
      "header" in forged ? { ...delivery.headers, [signatureHeader]: forged.header } : delivery.headers,
    body: forged.body ?? delivery.body,
  };
}

/** Text of the same length and alphabet. */
function garble(signature: string): string {
  return (signature.startsWith("A") ? "B" : "A") + signature.slice(1);
}

function flipByte(body: Buffer): Buffer {
  const changed = Buffer.from(body);
  const middle = Math.floor(changed.length / 2);
  changed[middle] = (changed[middle] ?? 0) ^ 1;
  return changed;
}
