import { describe, expect, it } from "vitest";
import { isPublicHost, isPublicIp, publicLookup } from "../../src/base/public-address.ts";

describe("public addresses", () => {
  it.each([
    ["1.1.1.1", true],
    ["2606:4700:4700::1111", true],
    ["10.1.2.3", false],
    ["127.0.0.1", false],
    ["169.254.169.254", false],
    ["172.16.0.1", false],
    ["192.168.1.1", false],
    ["100.64.0.1", false],
    ["0.0.0.0", false],
    ["224.0.0.1", false],
    ["255.255.255.255", false],
    ["::", false],
    ["::1", false],
    ["fe80::1", false],
    ["fd00::1", false],
    ["::ffff:10.0.0.1", false],
    ["64:ff9b::a00:1", false],
    ["2002:a00:1::", false],
    // IPv4 in IPv6 without a prefix (RFC 4291, 2.5.5.1), and unassigned addresses.
    ["::7f00:1", false],
    ["::a9fe:a9fe", false],
    ["4000::1", false],
    ["nonsense", false],
  ])("include %s: %s", (address, expected) => {
    expect(isPublicIp(address)).toBe(expected);
  });

  it.each([
    ["hooks.example", true],
    ["1.1.1.1", true],
    ["[2606:4700:4700::1111]", true],
    ["localhost", false],
    ["a.localhost", false],
    ["localhost.", false],
    ["a.localhost.", false],
    ["[::1]", false],
    ["[fd00::1]", false],
    ["10.0.0.1", false],
    ["", false],
  ])("include the host %s: %s", (host, expected) => {
    expect(isPublicHost(host)).toBe(expected);
  });

  it.each([{ all: true }, { all: false }, {}])("are required of a name, asked with %j", async (options) => {
    const error = await new Promise((resolve) => publicLookup("localhost", options, resolve));

    expect(error).toMatchObject({ code: "EPRIVATE" });
  });
});
