import { describe, expect, it } from "vitest";
import {
  findCookieObjection,
  findOriginObjection,
  isFromHttpsPage,
} from "../../../src/server/sign-in/cross-site.ts";

const HOST = "shop.example:8443";
const call = (headers: Record<string, string | undefined>, method = "POST") => ({
  method,
  headers: { host: HOST, ...headers },
});
const OWN = { "x-holdfast": "1", origin: `https://${HOST}`, "sec-fetch-site": "same-origin" };

describe("findCookieObjection", () => {
  it.each([
    ["the console's own call", OWN],
    ["a call without a browser's account of it", { "x-holdfast": "1" }],
    ["an origin whose host is written in capitals", { ...OWN, origin: `HTTPS://SHOP.EXAMPLE:8443` }],
    ["an origin over plain http, where TLS ends before the app", { ...OWN, origin: `http://${HOST}` }],
    ["the default port left out", { ...OWN, host: "shop.example", origin: "https://shop.example" }],
    [
      "the default port written in the Host header",
      { ...OWN, host: "shop.example:443", origin: "https://shop.example" },
    ],
    ["an IPv6 host", { ...OWN, host: "[::1]:3000", origin: "http://[::1]:3000" }],
  ])("doesn't object to %s", (_name, headers) => {
    for (const method of ["POST", "PUT", "DELETE"])
      expect(findCookieObjection(call(headers, method))).toBeNull();
  });

  it.each([
    ["no header", { ...OWN, "x-holdfast": undefined }],
    ["another value of the header", { ...OWN, "x-holdfast": "true" }],
    ["the header twice", { ...OWN, "x-holdfast": "1, 1" }],
    ["a foreign origin", { ...OWN, origin: "https://evil.example" }],
    ["a neighbour of the domain", { ...OWN, origin: "https://a.shop.example:8443" }],
    ["an origin that begins alike", { ...OWN, origin: `https://${HOST}.evil.example` }],
    ["an origin that names the host as a user", { ...OWN, origin: `https://${HOST}@evil.example` }],
    ["an origin with a path", { ...OWN, origin: `https://${HOST}/` }],
    ["an origin that names a user", { ...OWN, origin: `https://x@${HOST}` }],
    ["another port", { ...OWN, origin: "https://shop.example" }],
    ["two origins", { ...OWN, origin: `https://${HOST} https://evil.example` }],
    ["the null origin", { ...OWN, origin: "null" }],
    ["an empty origin", { ...OWN, origin: "" }],
    ["an origin without a web page", { ...OWN, origin: "file://" }],
    ["another scheme", { ...OWN, origin: `ftp://${HOST}` }],
    ["no host", { ...OWN, host: undefined }],
    ["an unreadable host", { ...OWN, host: "a b", origin: "https://a b" }],
    [
      "a foreign origin that a forwarded host speaks for",
      { ...OWN, origin: "https://evil.example", "x-forwarded-host": "evil.example" },
    ],
    ["another site", { ...OWN, "sec-fetch-site": "cross-site" }],
    ["a neighbouring site", { ...OWN, "sec-fetch-site": "same-site" }],
    ["no site at all", { ...OWN, "sec-fetch-site": "none" }],
    ["something unknown", { ...OWN, "sec-fetch-site": "" }],
  ])("objects to %s", (_name, headers) => {
    for (const method of ["POST", "PUT", "DELETE", "PATCH", "OPTIONS"])
      expect(findCookieObjection(call(headers, method))).toMatch(/./);
  });

  it("objects to reading only if it comes from another site", () => {
    for (const method of ["GET", "HEAD"]) {
      expect(findCookieObjection(call({}, method))).toBeNull();
      for (const site of ["same-origin", "same-site", "none"])
        expect(findCookieObjection(call({ "sec-fetch-site": site }, method))).toBeNull();
      expect(findCookieObjection(call({ "sec-fetch-site": "cross-site" }, method))).toMatch(/./);
    }
  });
});

describe("findOriginObjection", () => {
  it("requires no header of ours, and refuses requests from elsewhere", () => {
    expect(findOriginObjection(call({}))).toBeNull();
    expect(findOriginObjection(call({ ...OWN, "x-holdfast": undefined }))).toBeNull();
    expect(findOriginObjection(call({ origin: "null" }))).toMatch(/./);
    expect(findOriginObjection(call({ "sec-fetch-site": "cross-site" }))).toMatch(/./);
  });
});

describe("isFromHttpsPage", () => {
  it("uses the page's origin", () => {
    expect(isFromHttpsPage(call({ origin: "https://shop.example" }))).toBe(true);
    expect(isFromHttpsPage(call({ origin: "http://shop.example" }))).toBe(false);
    expect(isFromHttpsPage(call({ origin: "null" }))).toBe(false);
    expect(isFromHttpsPage(call({}))).toBe(false);
  });
});
