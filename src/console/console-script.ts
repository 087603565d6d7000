import { PROBLEM_WORDS } from "./problem-words.ts";

/**
 * The console page's script: signs in, lists orders, shows one. Everything that came over the network is written as
 * text, never as HTML. The console token lives in a variable and goes when the page goes. JavaScript.
 */
export const CONSOLE_JS = String.raw`"use strict";
(() => {
  const byId = (id) => document.getElementById(id);
  const embedded = document.body.dataset.embedded === "true";
  let token = null;
  let cursor = null;
  // Answers that arrive after a newer question of the same kind, or after signing out, are dropped.
  const questions = { list: 0, order: 0, overview: 0 };
  const pose = (kind) => {
    const mine = (questions[kind] += 1);
    return () => questions[kind] === mine;
  };

  class ApiError extends Error {
    constructor(status, detail) {
      super(detail);
      this.status = status;
    }
  }

  // Embedded, the platform's own script adds its session token to every request of this origin.
  async function ask(path) {
    const headers = { accept: "application/json" };
    if (token !== null) headers.authorization = "Bearer " + token;
    const response = await fetch("/api" + path, { headers: headers, cache: "no-store" });
    if (response.ok) return response.json();
    const problem = await response.json().catch(() => ({}));
    throw new ApiError(response.status, problem.detail || "the server answered " + response.status);
  }

  function element(tag, text, attributes) {
    const made = document.createElement(tag);
    if (text !== undefined && text !== null) made.textContent = String(text);
    for (const name of Object.keys(attributes || {})) made.setAttribute(name, attributes[name]);
    return made;
  }

  function time(iso) {
    if (iso === null) return element("span", "–");
    return element("time", new Date(iso).toLocaleString(), { datetime: iso });
  }

  function level(order) {
    if (order.riskLevel === null) return element("span", order.skipReason || "not judged", { class: "soft" });
    const text = order.riskScore === null ? order.riskLevel : order.riskLevel + " " + order.riskScore;
    return element("span", text, { class: "badge", "data-level": order.riskLevel });
  }

  function action(order) {
    if (order.action === null) return "–";
    return order.degraded ? order.action + " (without the service)" : order.action;
  }

  function cell(label, content) {
    const made = element("td", null, { "data-label": label });
    made.append(content);
    return made;
  }

  function row(order) {
    const open = element("button", order.name, { class: "link", type: "button" });
    open.addEventListener("click", () => void show(order.orderId));
    const made = element("tr");
    made.append(
      cell("Order", open),
      cell("Risk", level(order)),
      cell("Action", action(order)),
      cell("State", order.state),
      cell("Received", time(order.receivedAt)),
      cell("Credits", String(order.creditsSpent)),
    );
    return made;
  }

  function say(text) {
    byId("message").textContent = text;
  }

  function explain(error) {
    if (!(error instanceof ApiError)) return say("The server could not be reached.");
    if (error.status !== 401) return say(error.message);
    if (embedded) return say("The session has ended. Load the page again.");
    signOut();
    return say("That token was not accepted.");
  }

  function signOut() {
    for (const kind of Object.keys(questions)) pose(kind);
    token = null;
    byId("sign-in").hidden = false;
    for (const id of ["overview", "orders", "order"]) byId(id).hidden = true;
    byId("token").focus();
  }

  function query() {
    const made = new URLSearchParams({ limit: "25" });
    for (const name of ["level", "action", "state"]) {
      const value = byId("filter-" + name).value;
      if (value !== "") made.set(name, value);
    }
    return made;
  }

  async function list(more) {
    const isCurrent = pose("list");
    const wanted = query();
    if (more && cursor !== null) wanted.set("cursor", cursor);
    byId("more").disabled = true;
    try {
      const page = await ask("/orders?" + wanted.toString());
      if (!isCurrent()) return;
      const rows = byId("rows");
      if (!more) rows.replaceChildren();
      rows.append(...page.orders.map(row));
      cursor = page.nextCursor;
      byId("more").hidden = cursor === null;
      byId("sign-in").hidden = true;
      byId("orders").hidden = false;
      say(toCount(rows.childElementCount));
    } catch (error) {
      if (isCurrent()) explain(error);
    } finally {
      if (isCurrent()) byId("more").disabled = false;
    }
  }

  function toCount(shown) {
    if (shown === 0) return "No orders to show.";
    return shown === 1 ? "1 order shown." : shown + " orders shown.";
  }

  function fact(name, content) {
    const made = element("div");
    const value = element("dd");
    value.append(content);
    made.append(element("dt", name), value);
    return made;
  }

  const CALLS = { closed: "go out", open: "held back", "half-open": "on trial", local: "none: local engine" };

  async function overview() {
    const isCurrent = pose("overview");
    try {
      const [credits, policy] = await Promise.all([ask("/credits"), ask("/policy")]);
      if (!isCurrent()) return;
      const cap = credits.monthlyCap === null ? "" : " of " + credits.monthlyCap;
      byId("facts").replaceChildren(
        fact("Mode", policy.mode),
        fact("Credits today", String(credits.spentToday)),
        fact("Credits this month", credits.spentMonth + cap),
        fact("Credits saved this month", String(credits.savedMonth)),
        fact("Calls to the service", CALLS[credits.circuit] || credits.circuit),
      );
      byId("shadow").hidden = policy.mode !== "shadow";
      byId("overview").hidden = false;
    } catch (error) {
      // The list says what is wrong with the session; a missing overview must not hide the orders.
      if (isCurrent()) byId("overview").hidden = true;
    }
  }

  function bullets(title, items) {
    if (items.length === 0) return [];
    const made = element("ul");
    made.append(...items.map((item) => element("li", item)));
    return [element("h3", title), made];
  }

  function history(entries) {
    const made = element("ol");
    for (const entry of entries) {
      const line = element("li");
      line.append(time(entry.at), " " + entry.kind + (entry.detail === "" ? "" : ": " + entry.detail) + " (" + entry.actor + ")");
      made.append(line);
    }
    return [element("h3", "History"), made];
  }

  const WORDS = ${JSON.stringify(PROBLEM_WORDS)};

  function words(code) {
    return Object.hasOwn(WORDS, code) ? WORDS[code] + " (" + code + ")" : code;
  }

  // A code, or what stands in the way of each step: "hold:already-fulfilled tag:tags-refused".
  function explainProblem(problem) {
    const parts = [...new Set(problem.split(" "))];
    const explained = parts.map((part) => {
      const at = part.indexOf(":");
      return at === -1 ? words(part) : part.slice(0, at) + ": " + words(part.slice(at + 1));
    });
    return explained.join("; ");
  }

  function notice(isBad, ...content) {
    const made = element("p", null, { class: isBad ? "notice bad" : "notice" });
    made.append(...content);
    return made;
  }

  const RESTING = { failed: "Holdfast gave up: somebody has to look at this order.", waiting: "Waiting: Holdfast tries again by itself." };

  function notices(order) {
    const made = [];
    const isOpen = order.state === "failed" || order.state === "waiting";
    if (isOpen || order.problem !== null) {
      const what = isOpen ? RESTING[order.state] : "Not everything could be done.";
      const why = order.problem === null ? "" : " Because: " + explainProblem(order.problem) + ".";
      made.push(notice(order.state !== "waiting", what + why));
    }
    if (order.degraded) {
      const cause = order.reasons.find((reason) => reason.startsWith("degraded:"));
      const because = cause === undefined ? "." : ": " + words(cause.slice("degraded:".length)) + ".";
      made.push(notice(false, "Decided without the verification service" + because));
    }
    if (order.state === "review" && order.holdDeadline !== null) {
      const isOver = new Date(order.holdDeadline) <= new Date();
      const told = isOver ? "Nobody has decided, and the hold was to end " : "On hold: somebody should decide before ";
      made.push(notice(isOver, told, time(order.holdDeadline)));
    }
    return made;
  }

  async function show(orderId) {
    const isCurrent = pose("order");
    try {
      const order = await ask("/orders/" + encodeURIComponent(orderId));
      if (!isCurrent()) return;
      byId("order-title").textContent = "Order " + order.name;
      const facts = element("dl");
      facts.append(
        fact("Risk", level(order)),
        fact("Action", action(order)),
        fact("State", order.state),
        fact("Judged by", order.source === null ? "–" : order.source),
        fact("Policy version", order.policyVersion === null ? "–" : String(order.policyVersion)),
        fact("Hold ends", time(order.holdDeadline)),
      );
      const factors = order.factors.map((one) => one.factor + " (" + one.severity + "): " + one.description);
      byId("order-body").replaceChildren(
        ...notices(order),
        facts,
        ...bullets("Why", order.reasons),
        ...bullets("Risk factors", factors),
        ...bullets("Reasoning", order.reasoning === null ? [] : [order.reasoning]),
        ...bullets("Recommendations", order.recommendations),
        ...bullets("On the platform", order.steps.map((one) => one.step + ": " + one.state + " " + one.detail)),
        ...history(order.timeline),
      );
      byId("order").hidden = false;
      byId("order-title").focus();
    } catch (error) {
      if (isCurrent()) explain(error);
    }
  }

  function open() {
    say("Loading orders…");
    void list(false);
    void overview();
  }

  byId("sign-in-form").addEventListener("submit", (event) => {
    event.preventDefault();
    token = byId("token").value.trim();
    byId("token").value = "";
    open();
  });
  byId("filters").addEventListener("submit", (event) => event.preventDefault());
  byId("filters").addEventListener("change", () => void list(false));
  byId("more").addEventListener("click", () => void list(true));
  byId("close").addEventListener("click", () => {
    byId("order").hidden = true;
  });
  if (embedded) open();
  else byId("sign-in").hidden = false;
})();
`;
