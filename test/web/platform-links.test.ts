import { describe, expect, it } from "vitest";
import { parseViewAddress } from "../../web/data/route.ts";
import { CONSOLE_VIEWS } from "../../src/index.ts";

describe("parseViewAddress", () => {
  it.each(CONSOLE_VIEWS.map(({ view }) => view))("reads the menu's link to %s", (view) => {
    expect(parseViewAddress(`/?view=${view}`)).toEqual({ view, id: null });
  });

  it("reads the order an address names, whatever else the platform adds", () => {
    expect(parseViewAddress("/?shop=demo.myshopify.com&host=x&view=orders&id=820982911946154508")).toEqual({
      view: "orders",
      id: "820982911946154508",
    });
  });

  it.each([
    "",
    "/",
    "/?shop=demo.myshopify.com",
    "/?view=",
    "/?view=../api",
    "/?view=Policy%22",
    "/policy?view=policy",
    "//evil.example/?view=policy",
    "https://evil.example/?view=policy",
    "javascript:alert(1)//?view=policy",
    "https://[/?view=policy",
  ])("reads no view out of %j", (address) => {
    expect(parseViewAddress(address)).toBeNull();
  });
});
