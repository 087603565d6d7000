import type { RequestHandler, Response } from "express";
import type { Platform, PlatformPage } from "../pipeline/platform.ts";
import { ACTIONS } from "../policy/policy.ts";
import { ORDER_STATES, type Backlog } from "../store/store.ts";
import { RISK_LEVELS } from "../verification/result.ts";
import { ASSET_PATHS } from "./assets.ts";
import { html, trustedHtml, type Html } from "./html.ts";
import { toQuery } from "./query.ts";
import { toPageContentPolicy, toSafeSources } from "./security-headers.ts";
import type { ServerParts } from "./server-parts.ts";

type PageParts = Pick<ServerParts, "about" | "role" | "platforms" | "logger" | "now" | "draining">;

/**
 * `GET /`: what this installation is doing, without a word about any tenant. The orders are fetched by the page's
 * script once somebody is signed in: with the platform's session when embedded, with the console token otherwise.
 */
export function createPage(parts: PageParts, backlog: () => Promise<Backlog>): RequestHandler {
  return async (req, res) => {
    const page = findPlatformPage(parts.platforms, toQuery(req));
    const facts = toFacts(parts, await measure(parts, backlog));
    const text = renderPage(facts, page).toString();
    setPageHeaders(res, page);
    res.writeHead(200, {
      "Content-Type": "text/html; charset=utf-8",
      "Content-Length": Buffer.byteLength(text),
      "Cache-Control": "no-store",
    });
    res.end(text);
  };
}

/** The page of the platform that this request comes from, if one knows it and says who may embed it. */
function findPlatformPage(platforms: readonly Platform[], query: URLSearchParams): PlatformPage | null {
  const values = toSingleValues(query);
  for (const platform of platforms) {
    const page = platform.page(values);
    if (page !== null && toSafeSources(page.frameAncestors).length > 0) return page;
  }
  return null;
}

/** A repeated parameter is left out: which of its values counts would be a guess. */
function toSingleValues(query: URLSearchParams): Readonly<Record<string, string | undefined>> {
  const names = [...new Set(query.keys())];
  return Object.fromEntries(
    names.flatMap((name) => {
      const values = query.getAll(name);
      return values.length === 1 ? [[name, values[0]]] : [];
    }),
  );
}

function setPageHeaders(res: Response, page: PlatformPage | null): void {
  const policy = toPageContentPolicy(page ?? { scriptSources: [], frameAncestors: [] });
  res.setHeader("Content-Security-Policy", policy);
  if (page === null) return;
  res.removeHeader("X-Frame-Options");
  // A platform may open windows from inside its frame.
  res.removeHeader("Cross-Origin-Opener-Policy");
}

async function measure(parts: PageParts, backlog: () => Promise<Backlog>): Promise<Backlog | undefined> {
  try {
    return await backlog();
  } catch (error) {
    parts.logger.warn({ err: error }, "the backlog could not be measured");
    return undefined;
  }
}

type Fact = readonly [name: string, value: string];

const ROLES: Readonly<Record<ServerParts["role"], string>> = {
  all: "takes orders in and works on them",
  intake: "takes orders in; other processes work on them",
  worker: "works on orders",
};

function toFacts(parts: PageParts, backlog: Backlog | undefined): readonly Fact[] {
  const { version, verification } = parts.about;
  return [
    ["Version", version],
    ["This process", parts.draining() ? "is stopping" : ROLES[parts.role]],
    ["Orders are judged by", verification === "service" ? "the verification service" : LOCAL_ONLY],
    [
      "Waiting for work",
      backlog === undefined ? "unknown: the store cannot be reached" : String(backlog.pending),
    ],
    ["Oldest of them", toAge(backlog?.oldestReceivedAtMs ?? null, parts.now())],
  ];
}

const LOCAL_ONLY = "the local engine alone, which never cancels";

function toAge(sinceMs: number | null, nowMs: number): string {
  if (sinceMs === null) return "–";
  const seconds = Math.max(0, Math.round((nowMs - sinceMs) / 1_000));
  if (seconds < 120) return `${seconds} s`;
  const minutes = Math.round(seconds / 60);
  return minutes < 120 ? `${minutes} min` : `${Math.round(minutes / 60)} h`;
}

function renderPage(facts: readonly Fact[], page: PlatformPage | null): Html {
  // A platform's script (Shopify's App Bridge) has to come before any other.
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        ${page !== null && trustedHtml(page.head)}
        <title>Holdfast</title>
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <meta name="robots" content="noindex" />
        <link rel="icon" href="${ASSET_PATHS.icon}" type="image/svg+xml" />
        <link rel="stylesheet" href="${ASSET_PATHS.style}" />
        <script src="${ASSET_PATHS.script}" defer></script>
      </head>
      <body data-embedded="${page === null ? "false" : "true"}">
        <main>
          <header>
            <img src="${ASSET_PATHS.icon}" alt="" width="36" height="36" />
            <div>
              <h1>Holdfast</h1>
              <p>Checks every order for fraud before it ships.</p>
            </div>
          </header>
          <section aria-labelledby="status-title">
            <h2 id="status-title">What it is doing</h2>
            <dl>
              ${facts.map(
                ([name, value]) =>
                  html`<div>
                    <dt>${name}</dt>
                    <dd>${value}</dd>
                  </div>`,
              )}
            </dl>
          </section>
          ${renderConsole()}
          <footer class="soft">
            <p>
              Networks of IP addresses, for the local engine:
              <a href="https://db-ip.com" rel="noreferrer">IP Geolocation by DB-IP</a>
            </p>
          </footer>
        </main>
      </body>
    </html> `;
}

/** Everything here stays hidden until the script runs: without it the token form could only put the token in a URL. */
function renderConsole(): Html {
  return html`<noscript
      ><p class="notice">The orders are shown by a script, which this browser does not run.</p></noscript
    >
    <section id="sign-in" aria-labelledby="sign-in-title" hidden>
      <h2 id="sign-in-title">Sign in</h2>
      <p class="soft">The token stays in this page's memory: reloading signs out.</p>
      <form id="sign-in-form">
        <label class="wide" for="token"
          >Console token<input id="token" type="password" autocomplete="off" required
        /></label>
        <button type="submit">Show orders</button>
      </form>
    </section>
    <p id="message" role="status"></p>
    <section id="overview" aria-labelledby="overview-title" hidden>
      <h2 id="overview-title">This shop</h2>
      <p id="shadow" class="notice" hidden>Shadow mode: Holdfast decides and records, and touches nothing.</p>
      <dl id="facts"></dl>
    </section>
    <section id="orders" aria-labelledby="orders-title" hidden>
      <h2 id="orders-title">Orders</h2>
      <form id="filters">
        ${renderFilter("level", "Risk", RISK_LEVELS)} ${renderFilter("action", "Action", ACTIONS)}
        ${renderFilter("state", "State", ORDER_STATES)}
      </form>
      <table>
        <caption>
          Orders, newest first
        </caption>
        <thead>
          <tr>
            ${COLUMNS.map((name) => html`<th scope="col">${name}</th>`)}
          </tr>
        </thead>
        <tbody id="rows"></tbody>
      </table>
      <p><button id="more" class="plain" type="button" hidden>Show older orders</button></p>
    </section>
    <section id="order" aria-labelledby="order-title" hidden>
      <h2 id="order-title" tabindex="-1">Order</h2>
      <div id="order-body"></div>
      <p><button id="close" class="plain" type="button">Close</button></p>
    </section>`;
}

const COLUMNS = ["Order", "Risk", "Action", "State", "Received", "Credits"] as const;

function renderFilter(name: string, label: string, values: readonly string[]): Html {
  return html`<label for="filter-${name}"
    >${label}<select id="filter-${name}">
      <option value="">any</option>
      ${values.map((value) => html`<option value="${value}">${value}</option>`)}
    </select></label
  >`;
}
