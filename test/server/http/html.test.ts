import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { html, trustedHtml } from "../../../src/server/http/html.ts";
import { anyText } from "../../support/any-text.ts";

const text = (strings: TemplateStringsArray, ...values: Parameters<typeof html>[1][]) =>
  html(strings, ...values).toString();

describe("html", () => {
  it("escapes text and attribute values", () => {
    const evil = `<img src=x onerror="a('b')">&\``;
    expect(text`<p title="${evil}">${evil}</p>`).toBe(
      '<p title="&lt;img src=x onerror=&quot;a(&#39;b&#39;)&quot;&gt;&amp;&#96;">' +
        "&lt;img src=x onerror=&quot;a(&#39;b&#39;)&quot;&gt;&amp;&#96;</p>",
    );
  });

  it("leaves what is HTML already, also inside lists", () => {
    const items = ["<a>", "b"].map((item) => html`<li>${item}</li>`);
    expect(text`<ul>${items}</ul>`).toBe("<ul><li>&lt;a&gt;</li><li>b</li></ul>");
    expect(text`${trustedHtml("<b>x</b>")}`).toBe("<b>x</b>");
  });

  it("escapes text inside lists", () => {
    expect(text`${["<", [">"]]}`).toBe("&lt;&gt;");
  });

  it("leaves nothing behind for what is absent, and keeps zero", () => {
    expect(text`[${null}${undefined}${false}${0}${""}]`).toBe("[0]");
  });

  it("takes no HTML from an object that only looks like it", () => {
    const forged = JSON.parse('{"text":"<b>","toString":"<b>"}') as string;
    expect(() => text`${forged}`).toThrow(TypeError);
  });

  it("never lets text become a tag or end an attribute", () => {
    fc.assert(
      fc.property(anyText(), (value) => {
        const written = text`<p title="${value}">${value}</p>`;
        const [, title = "", content = ""] = /^<p title="([^"]*)">([^]*)<\/p>$/.exec(written) ?? [];
        expect(title).toBe(content);
        expect(content).not.toMatch(/[<>"'`]/);
      }),
    );
  });
});
