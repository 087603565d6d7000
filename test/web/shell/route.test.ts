import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { CONSOLE_VIEWS } from "../../../src/adapter-kit.ts";
import { parseLink, parseRoute, toPath } from "../../../web/data/shell/route.ts";
import { VIEWS } from "../../../web/views/views.ts";

const ORIGIN = "https://app.example";
const OWN = VIEWS.map(({ id }) => id);

describe("parseRoute", () => {
  it.each([
    ["", { view: "queue", id: null, query: {} }],
    ["/", { view: "queue", id: null, query: {} }],
    ["/?level=high", { view: "queue", id: null, query: { level: "high" } }],
    ["/orders", { view: "orders", id: null, query: {} }],
    ["/queue/4711?level=high&state=", { view: "queue", id: "4711", query: { level: "high" } }],
    ["/orders/a%2Fb?q=%231042", { view: "orders", id: "a/b", query: { q: "#1042" } }],
  ])("parses %j", (address, route) => {
    expect(parseRoute(address)).toEqual(route);
  });

  it("treats nothing that the platform added as a filter", () => {
    const added = "embedded=1&hmac=1&host=x&id_token=t&locale=de&session=s&shop=a.example&timestamp=1";
    expect(parseRoute(`/report?${added}&days=30`).query).toEqual({ days: "30" });
  });

  it("leads to a view, whatever it is", () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        expect(parseRoute(`/${text}`).view).not.toBe("");
      }),
    );
    expect(parseRoute("/%E0%A4%A").view).toBe("%E0%A4%A");
  });
});

describe("toPath", () => {
  it("is what parseRoute parses, the same for the same filters", () => {
    const text = fc.string({ minLength: 1, unit: "grapheme" });
    const route = fc.record({
      view: text,
      id: fc.option(text),
      query: fc.dictionary(
        text.filter((name) => name !== "__proto__"),
        text,
        { noNullPrototype: true },
      ),
    });
    fc.assert(
      fc.property(route, (one) => {
        expect(parseRoute(toPath(one))).toEqual(one);
      }),
    );
    expect(toPath({ view: "queue", id: "1", query: { state: "failed", level: "high" } })).toBe(
      "/queue/1?level=high&state=failed",
    );
    expect(toPath({ query: { level: "" } })).toBe("/");
  });
});

describe("parseLink", () => {
  it("recognizes the views that the server has pages for", () => {
    expect(OWN).toEqual(CONSOLE_VIEWS.map(({ view }) => view));
  });

  it.each(OWN)("follows a link to %s", (view) => {
    expect(parseLink(`/${view}`, ORIGIN, OWN)).toEqual({ view, id: null, query: {} });
  });

  it.each(["/", "/queue", `${ORIGIN}/queue?shop=a.example`])("sends %j home", (href) => {
    expect(parseLink(href, ORIGIN, OWN)).toEqual({ view: "queue", id: null, query: {} });
  });

  it.each([
    "/api/openapi.json",
    "/assets/console.js",
    "/nowhere",
    "//evil.example/policy",
    "https://evil.example/policy",
    "javascript:alert(1)//policy",
    "mailto:policy@app.example",
    "https://[/policy",
  ])("follows no link to %j", (href) => {
    expect(parseLink(href, ORIGIN, OWN)).toBeNull();
  });
});
