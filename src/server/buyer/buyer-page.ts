import { createHash } from "node:crypto";
import type { ServerResponse } from "node:http";
import { html, toTrusted, type Html } from "../../buyer-check/html.ts";
import type { BuyerMethod, ShownCheck } from "../../buyer-check/method.ts";
import { fill, toTexts } from "../../buyer-check/texts/buyer-texts.ts";
import type { BuyerTextKey, BuyerTexts } from "../../buyer-check/texts/en.ts";
import type { BuyerLanguage } from "../../order/buyer-check.ts";
import { cutText } from "../../order/text.ts";
import { toKnownNow } from "../../platform/platform.ts";
import { discardRest } from "../http/request-body.ts";
import { STYLE } from "./buyer-style.ts";

const STYLE_DIGEST = createHash("sha256").update(STYLE).digest("base64");

/** Nothing but our own inline style, and forms to us: no script, no image, no font, no frame. */
export const BUYER_PAGE_POLICY = [
  "default-src 'none'",
  `style-src 'sha256-${STYLE_DIGEST}'`,
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
].join("; ");

const HEADERS = {
  "Content-Type": "text/html; charset=utf-8",
  "Content-Security-Policy": BUYER_PAGE_POLICY,
  "Cache-Control": "no-store",
  "X-Robots-Tag": "noindex, nofollow, noarchive",
  Vary: "Accept-Language",
} as const;

/** Answer with a page for a buyer. What the buyer still sends is dropped. */
export function sendBuyerPage(res: ServerResponse, status: number, page: Html): void {
  const text = page.toString();
  res.writeHead(status, { ...HEADERS, "Content-Length": Buffer.byteLength(text) }).end(text);
  discardRest(res.req);
}

interface Shell {
  readonly language: BuyerLanguage;
  readonly title: string;
}

function toPage({ language, title }: Shell, content: Html): Html {
  return html`<!doctype html>
    <html lang="${language}">
      <head>
        <meta charset="utf-8" />
        <title>${title}</title>
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <meta name="robots" content="noindex, nofollow" />
        <meta name="referrer" content="no-referrer" />
        ${STYLE_ELEMENT}
      </head>
      <body>
        <main>${content}</main>
      </body>
    </html> `;
}

/** Not escaped, because its digest is that of the style as it is. */
const STYLE_ELEMENT = toTrusted(`<style>${STYLE}</style>`);

/** A page with a heading and one paragraph. */
export function toNotePage(
  language: BuyerLanguage,
  [title, text]: readonly [BuyerTextKey, BuyerTextKey],
  values: Readonly<Record<string, string>> = {},
): Html {
  const texts = toTexts(language);
  const shell = { language, title: texts[title] };
  return toPage(
    shell,
    html`<h1>${texts[title]}</h1>
      <p>${fill(texts[text], values)}</p>`,
  );
}

export interface QuestionPage extends ShownCheck {
  readonly language: BuyerLanguage;
  readonly shop: string;
  readonly methods: readonly BuyerMethod[];
  /** Where each method's form goes. */
  readonly toAction: (method: BuyerMethod) => string;
  /** What was just written in a method's form. */
  readonly givenTo?: (method: BuyerMethod) => ReadonlyMap<string, string> | undefined;
  /** What was wrong with the last answer. */
  readonly problem?: BuyerTextKey | undefined;
}

/** The question: what was ordered, and the ways to answer. Nobody's address, amount or card is on it. */
export function toQuestionPage(page: QuestionPage): Html {
  const { language, shop, methods, toAction, givenTo, problem, ...shown } = page;
  const { texts, order } = shown;
  const title = problem === undefined ? texts.title : `${texts["try-again"]} ${texts.title}`;
  return toPage(
    { language, title },
    html`<p class="shop">${shop}</p>
      <h1>${texts.title}</h1>
      ${problem === undefined ? null : html`<p class="problem" role="alert">${texts[problem]}</p>`}
      <p>${fill(texts.intro, { shop })}</p>
      <section aria-labelledby="order">
        <h2 id="order">${fill(texts.order, { name: order.name })}</h2>
        ${toItems(shown, texts)}
      </section>
      ${methods.map((method) => method.form(shown, toAction(method), givenTo?.(method)))}
      <p class="small">${texts["nothing-secret"]}</p>`,
  );
}

/** More lines help nobody to recognize an order. */
const MOST_ITEMS = 20;
const LONGEST_NAME = 120;

/** What is ordered now: goods may have been taken away since the question. */
function toItems({ order: { mapped, revision } }: ShownCheck, texts: BuyerTexts): Html | null {
  const present = revision?.mapped ?? mapped;
  const items = present === null ? [] : (toKnownNow(present).items ?? []);
  if (items.length === 0) return null;
  const rest = items.length - MOST_ITEMS;
  return html`<ul aria-label="${texts.items}">
    ${items
      .slice(0, MOST_ITEMS)
      .map(({ name, quantity }) => html`<li><bdi>${cutText(name, LONGEST_NAME)}</bdi> × ${quantity}</li>`)}
    ${rest > 0 ? html`<li>${fill(texts["more-items"], { count: String(rest) })}</li>` : null}
  </ul>`;
}
