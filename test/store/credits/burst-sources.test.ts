import { describe, expect, it } from "vitest";
import { toSources } from "../../../src/store/credits/burst-brake.ts";
import { anOrder } from "../../support/orders.ts";

const sourceOf = (kind: string, changes: Parameters<typeof anOrder>[0]): string | undefined =>
  toSources(anOrder(changes)).find((source) => source.kind === kind)?.address;

describe("toSources", () => {
  it.each([
    ["letter case", "Jane@Shop.Example", "jane@shop.example"],
    ["what follows a plus sign", "jane+1@shop.example", "jane+2@shop.example"],
    ["dots at a provider that ignores them", "j.a.n.e@gmail.com", "jane@googlemail.com"],
  ])("counts mailboxes as one whatever %s", (_what, one, other) => {
    expect(sourceOf("email", { customerEmail: one })).toBe(sourceOf("email", { customerEmail: other }));
  });

  it.each([
    ["dots elsewhere", "j.ane@shop.example", "jane@shop.example"],
    ["domains", "jane@a.example", "jane@b.example"],
    ["a plus sign at the start", "+1@shop.example", "+2@shop.example"],
  ])("keeps mailboxes apart by %s", (_what, one, other) => {
    expect(sourceOf("email", { customerEmail: one })).not.toBe(sourceOf("email", { customerEmail: other }));
  });

  it("counts a subscriber's IPv6 network as one source, and each IPv4 address as its own", () => {
    const ip = (ipAddress: string) => sourceOf("ip", { ipAddress });

    expect(ip("2001:db8:1:2::1")).toBe(ip("2001:db8:1:2:ffff::9"));
    expect(ip("2001:db8:1:2::1")).not.toBe(ip("2001:db8:1:3::1"));
    expect(ip("198.51.100.1")).toBe(ip("::ffff:198.51.100.1"));
    expect(ip("198.51.100.1")).not.toBe(ip("198.51.100.2"));
  });

  it.each(["10.0.0.7", "127.0.0.1", "::1", "fd00::7"])(
    "doesn't count %s, which is a proxy's",
    (ipAddress) => {
      expect(sourceOf("ip", { ipAddress })).toBeUndefined();
    },
  );

  it("counts an address as one source however it is written", () => {
    const { shippingAddress } = anOrder();
    const at = (street: string) => sourceOf("delivery", { shippingAddress: { ...shippingAddress, street } });

    expect(at("1 Example-Street")).toBe(at("1  EXAMPLE street."));
    expect(at("1 Exämple Strèet")).toBe(at("1 Example Street"));
    expect(at("1 Example Street")).not.toBe(at("2 Example Street"));
  });

  it.each(["N/A", " "])("counts no town as an address when the street is %j", (street) => {
    const { shippingAddress } = anOrder();

    expect(sourceOf("delivery", { shippingAddress: { ...shippingAddress, street } })).toBeUndefined();
  });

  it("finds two sources for an order without an IP address", () => {
    expect(toSources(anOrder()).map(({ kind }) => kind)).toEqual(["email", "delivery"]);
  });
});
