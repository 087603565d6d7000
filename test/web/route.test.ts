import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseAddress, parseRoute, toHash } from "../../web/data/route.ts";

describe("parseRoute", () => {
  it.each([
    ["", { view: "queue", id: null, query: {} }],
    ["#", { view: "queue", id: null, query: {} }],
    ["#/orders", { view: "orders", id: null, query: {} }],
    ["#/queue/4711?level=high&state=", { view: "queue", id: "4711", query: { level: "high" } }],
    ["#/orders/a%2Fb?q=%231042", { view: "orders", id: "a/b", query: { q: "#1042" } }],
  ])("reads %j", (hash, route) => {
    expect(parseRoute(hash)).toEqual(route);
  });

  it("leads somewhere, whatever it is", () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        expect(parseRoute(`#${text}`).view).not.toBe("");
      }),
    );
    expect(parseRoute("#/%E0%A4%A").view).toBe("%E0%A4%A");
  });
});

describe("toHash", () => {
  it("is what parseRoute reads, the same for the same filters", () => {
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
        expect(parseRoute(toHash(one))).toEqual(one);
      }),
    );
    expect(toHash({ view: "queue", query: { state: "failed", level: "high" } })).toBe(
      "#/queue?level=high&state=failed",
    );
    expect(toHash({ query: { level: "" } })).toBe("#/queue");
  });
});

describe("parseAddress", () => {
  it("takes the view from a platform's menu until the page has an address of its own", () => {
    const search = "?shop=a.example&view=report";
    expect(parseAddress({ hash: "", search }).view).toBe("report");
    expect(parseAddress({ hash: "#/orders", search }).view).toBe("orders");
    expect(parseAddress({ hash: "", search: "?shop=a.example" }).view).toBe("queue");
    expect(parseAddress({ hash: "", search: "?view=%23/x" }).id).toBeNull();
  });
});
