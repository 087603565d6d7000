import { describe, expect, it } from "vitest";
import { toDevice } from "../../../../adapters/shopify/mapping/device.ts";

const ORDER = {
  source_name: "web",
  user_id: null,
  browser_ip: "203.0.113.7",
  client_details: { browser_ip: "198.51.100.1", user_agent: "Mozilla/5.0" },
};
const MAPPED = { ipAddress: "203.0.113.7", userAgent: "Mozilla/5.0" };

describe("toDevice", () => {
  it("uses the order's address and the browser's name", () => {
    expect(toDevice(ORDER)).toStrictEqual(MAPPED);
  });

  it("uses the address of the client details when the order's own can't be used", () => {
    expect(toDevice({ ...ORDER, browser_ip: null }).ipAddress).toBe("198.51.100.1");
    expect(toDevice({ ...ORDER, browser_ip: "0.0.0.0" }).ipAddress).toBe("198.51.100.1");
  });

  it.each(["2001:db8::7", "8.8.8.8"])("accepts %s", (browser_ip) => {
    expect(toDevice({ browser_ip })).toStrictEqual({ ipAddress: browser_ip });
  });

  it("unwraps an IPv4 address from its IPv6 form", () => {
    expect(toDevice({ browser_ip: "::ffff:203.0.113.7" }).ipAddress).toBe("203.0.113.7");
  });

  it.each([
    "0.0.0.0",
    "::",
    "127.0.0.1",
    "::1",
    "10.1.2.3",
    "172.16.0.1",
    "192.168.0.1",
    "::ffff:192.168.0.1",
    "100.64.0.1",
    "169.254.1.1",
    "fe80::1",
    "fd00::1",
    "224.0.0.1",
    "255.255.255.255",
    "203.0.113.7:443",
    "fe80::1%eth0",
    "0x7f.1",
    "2130706433",
    "203.0.113",
    "[2001:db8::7]",
    "example.com",
    "",
    " ",
    5,
    null,
    undefined,
    {},
  ])("leaves out the address %j", (browser_ip) => {
    expect(toDevice({ browser_ip })).toStrictEqual({});
  });

  it("cuts a long browser name and leaves out a blank one", () => {
    expect(toDevice({ client_details: { user_agent: "u".repeat(2000) } }).userAgent).toHaveLength(1000);
    expect(toDevice({ client_details: { user_agent: " " } })).toStrictEqual({});
  });

  it.each<[string, object]>([
    ["a draft", { source_name: "shopify_draft_order" }],
    ["an order at a counter", { source_name: "pos" }],
    ["an order that staff made in an app", { source_name: "755357713", user_id: 31522279 }],
    ["an order that staff made, of unknown source", { source_name: undefined, user_id: "31522279" }],
  ])("leaves both out for %s", (_case, changes) => {
    expect(toDevice({ ...ORDER, ...changes })).toStrictEqual({});
  });

  it.each<[string, object]>([
    ["an order of another app", { source_name: "6521931" }],
    ["an order of the online shop that names a member of staff", { user_id: 31522279 }],
    ["an order without a source", { source_name: undefined }],
  ])("keeps both for %s", (_case, changes) => {
    expect(toDevice({ ...ORDER, ...changes })).toStrictEqual(MAPPED);
  });
});
