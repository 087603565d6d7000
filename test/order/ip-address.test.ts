import { describe, expect, it } from "vitest";
import { withIpAddress } from "../../src/order/ip-address.ts";

describe("withIpAddress", () => {
  it.each([
    ["192.0.2.1", "192.0.2.1"],
    ["2001:db8::1", "2001:db8::1"],
    ["::ffff:192.0.2.1", "192.0.2.1"],
    ["::FFFF:192.0.2.1", "192.0.2.1"],
    ["::ffff:c000:201", "::ffff:c000:201"],
    ["192.0.2.1:443", "192.0.2.1"],
    ["[2001:db8::1]:443", "2001:db8::1"],
    ["[::ffff:192.0.2.1]:443", "192.0.2.1"],
  ])("fills in %s as %s", (ip, ipAddress) => {
    expect(withIpAddress({ orderId: "1" }, ip)).toEqual({ orderId: "1", ipAddress });
    expect(withIpAddress({ ipAddress: undefined }, ip)).toEqual({ ipAddress });
  });

  it.each<unknown>([
    "unknown",
    "192.0.2.1:",
    "192.0.2.1:https",
    "[2001:db8::1]",
    "192.0.2.1, 198.51.100.1",
    "fe80::1%eth0",
    ["192.0.2.1", "198.51.100.1"],
  ])("fills in %j, which isn't one address, so that the check warns about it", (ip) => {
    expect(withIpAddress({ orderId: "1", ipAddress: "198.51.100.1" }, ip)).toEqual({
      orderId: "1",
      ipAddress: ip,
    });
  });

  it("reads a list of one address", () => {
    expect(withIpAddress({ orderId: "1" }, ["192.0.2.1:443"])).toEqual({
      orderId: "1",
      ipAddress: "192.0.2.1",
    });
  });

  it.each([[""], ["  "], [undefined], [null]])("leaves out the order's own with %j", (ip) => {
    expect(withIpAddress({ orderId: "1", ipAddress: "198.51.100.1" }, ip)).toEqual({ orderId: "1" });
  });

  it("replaces the order's own address, in a copy", () => {
    const order = Object.freeze({ orderId: "1", ipAddress: "198.51.100.1" });

    expect(withIpAddress(order, "192.0.2.1")).toEqual({ orderId: "1", ipAddress: "192.0.2.1" });
  });

  it.each([[null], ["text"], [7], [undefined], [[{ orderId: "1" }]]])("returns %j unchanged", (order) => {
    expect(withIpAddress(order, "192.0.2.1")).toBe(order);
  });
});
