import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { Stripe } from "stripe";
import { onTestFinished } from "vitest";

const KEY = "sk_test_card_codes";
/** Parameters that the published API accepts for what is used here; another one is refused. */
const PARAMETERS: Readonly<Record<string, RegExp>> = {
  "GET intent": /^expand\[\d+\]$/,
  "GET charges": /^(?:payment_intent|limit)$/,
  create:
    /^(?:amount|currency|customer|payment_method|payment_method_types\[\d+\]|capture_method|statement_descriptor_suffix|description|metadata\[\w+\])$/,
  confirm: /^off_session$/,
  cancel: /^cancellation_reason$/,
  refund: /^payment_intent$/,
};
/** What an account's prefix leaves of the 22 characters: at most 10 for the prefix, and a `*` and a space between the two. */
const LONGEST_SUFFIX = 22 - 10 - 2;
const LEAST_AMOUNT = 50;

type Fault = "reset-before" | "reset-after" | "redirect" | number;

interface Intent {
  readonly id: string;
  readonly currency: string;
  readonly amount: number;
  customer: string | null;
  payment_method: string | null;
  status: string;
  readonly metadata: Readonly<Record<string, string>>;
  readonly suffix: string | null;
}

interface Method {
  readonly id: string;
  readonly type: string;
  customer: string | null;
  readonly card: { readonly fingerprint: string } | null;
}

interface Charge {
  readonly payment_intent: string;
  readonly payment_method_details: { readonly type: string; readonly card: { fingerprint: string } | null };
}

class ApiError extends Error {
  readonly status: number;
  readonly code: string;
  constructor(status: number, code: string) {
    super(code);
    this.status = status;
    this.code = code;
  }
}

/** What happened at the bank, in order. */
type BankEntry = readonly ["authorized" | "declined" | "released" | "refunded", string];

function isSuffix(suffix: string): boolean {
  return (
    /^(?=.*[A-Za-z])[ -~]+$/.test(suffix) && !/[<>\\'"*]/.test(suffix) && suffix.length <= LONGEST_SUFFIX
  );
}

/** The parts of Stripe that show codes: intents, charges and refunds, as strict as the published API, with faults on demand. */
export type CardCodeApi = Awaited<ReturnType<typeof startCardCodeApi>>;

export async function startCardCodeApi() {
  const intents = new Map<string, Intent>();
  const methods = new Map<string, Method>();
  const charges: Charge[] = [];
  const bank: BankEntry[] = [];
  const faults: { readonly action: string; readonly fault: Fault }[] = [];
  const requests: string[] = [];
  /** How the bank answers: undefined for yes. */
  let decline: string | undefined;

  const find = (id: string): Intent => {
    const intent = intents.get(id);
    if (intent === undefined) throw new ApiError(404, "resource_missing");
    return intent;
  };

  function create(form: Readonly<Record<string, string>>): Intent {
    const { amount, currency = "", payment_method: id = "", statement_descriptor_suffix: suffix = "" } = form;
    const method = methods.get(id);
    if (!/^\d+$/.test(amount ?? "")) throw new ApiError(400, "parameter_invalid_integer");
    if (Number(amount) < LEAST_AMOUNT) throw new ApiError(400, "amount_too_small");
    if (form["capture_method"] !== "manual" || !isSuffix(suffix))
      throw new ApiError(400, "parameter_invalid");
    if (method === undefined) throw new ApiError(400, "resource_missing");
    // A method without a customer, or another one's, can't be used again.
    const { customer } = method;
    if (customer === null || customer !== form["customer"])
      throw new ApiError(400, "payment_method_unexpected_state");
    const metadata = { holdfast: String(form["metadata[holdfast]"]) };
    const created = {
      id: `pi_code${intents.size}`,
      currency,
      amount: Number(amount),
      customer,
      metadata,
      suffix,
    };
    const intent: Intent = { ...created, payment_method: id, status: "requires_confirmation" };
    intents.set(intent.id, intent);
    return intent;
  }

  function confirm(intent: Intent, form: Readonly<Record<string, string>>): Intent {
    if (form["off_session"] !== "true") throw new ApiError(400, "parameter_invalid");
    if (intent.status !== "requires_confirmation") throw new ApiError(400, "payment_intent_unexpected_state");
    if (decline !== undefined) {
      intent.status = "requires_payment_method";
      bank.push(["declined", intent.id]);
      throw new ApiError(402, decline);
    }
    intent.status = "requires_capture";
    bank.push(["authorized", intent.id]);
    return intent;
  }

  function cancel(intent: Intent): Intent {
    if (intent.status === "canceled" || intent.status === "succeeded")
      throw new ApiError(400, "payment_intent_unexpected_state");
    if (intent.status === "requires_capture") bank.push(["released", intent.id]);
    intent.status = "canceled";
    return intent;
  }

  function refund(intent: Intent): unknown {
    if (bank.some(([what, id]) => what === "refunded" && id === intent.id))
      throw new ApiError(400, "charge_already_refunded");
    if (intent.status !== "succeeded") throw new ApiError(400, "payment_intent_unexpected_state");
    bank.push(["refunded", intent.id]);
    return { id: `re_${intent.id}`, status: "succeeded" };
  }

  function read(request: IncomingMessage, url: URL, form: Readonly<Record<string, string>>) {
    const [, id, action] =
      /^\/v1\/payment_intents(?:\/(\w+))?(?:\/(confirm|cancel))?$/.exec(url.pathname) ?? [];
    const isRead = request.method === "GET";
    const name =
      url.pathname === "/v1/charges"
        ? "GET charges"
        : url.pathname === "/v1/refunds"
          ? "refund"
          : isRead
            ? "GET intent"
            : (action ?? "create");
    const known = PARAMETERS[name];
    if (Object.keys(form).some((key) => known?.test(key) !== true))
      throw new ApiError(400, "parameter_unknown");
    return { name, id };
  }

  function act(name: string, id: string | undefined, form: Readonly<Record<string, string>>): unknown {
    if (name === "GET charges") {
      const found = charges.filter((charge) => charge.payment_intent === form["payment_intent"]);
      const limit = Number(form["limit"]);
      return {
        object: "list",
        data: found.slice(0, limit),
        has_more: found.length > limit,
        url: "/v1/charges",
      };
    }
    if (name === "create") return create(form);
    if (name === "refund") return refund(find(form["payment_intent"] ?? ""));
    const intent = find(id ?? "");
    if (name === "confirm") return confirm(intent, form);
    if (name === "cancel") return cancel(intent);
    const isExpanded = Object.values(form).includes("payment_method");
    return isExpanded
      ? { ...intent, payment_method: methods.get(intent.payment_method ?? "") ?? null }
      : intent;
  }

  function takeFault(name: string): Fault | undefined {
    const at = faults.findIndex(({ action }) => action === name);
    return at < 0 ? undefined : faults.splice(at, 1)[0]?.fault;
  }

  /** Undefined: the connection was closed, or the answer is sent already. */
  async function answer(request: IncomingMessage, response: ServerResponse): Promise<unknown> {
    const url = new URL(request.url ?? "", "http://stripe.test");
    const isPost = request.method === "POST";
    const form = Object.fromEntries(isPost ? new URLSearchParams(await text(request)) : url.searchParams);
    if (request.headers.authorization !== `Bearer ${KEY}`) throw new ApiError(401, "api_key_invalid");
    const { name, id } = read(request, url, form);
    requests.push(name);
    const fault = takeFault(name);
    if (typeof fault === "number") throw new ApiError(fault, "api_error");
    if (fault === "redirect") response.writeHead(307, { location: "/trap" }).end("<p>moved</p>");
    const isAnswered = fault !== "redirect" && fault !== "reset-before";
    const made = isAnswered ? structuredClone(act(name, id, form)) : undefined;
    if (fault === undefined) return made;
    if (fault !== "redirect") request.socket.destroy();
    return undefined;
  }

  async function respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
    let status = 200;
    const body = await answer(request, response).catch((error: unknown) => {
      const { status: failed = 500, code = "api_error" } = error as Partial<ApiError>;
      const type = failed === 402 ? "card_error" : failed >= 500 ? "api_error" : "invalid_request_error";
      status = failed;
      return { error: { type, code, message: `${code} for ada@example.com` } };
    });
    if (body !== undefined)
      response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
  }

  const server = createServer((request, response) => void respond(request, response));
  server.listen(0, "127.0.0.1");
  onTestFinished(async () => {
    server.closeAllConnections();
    await server[Symbol.asyncDispose]();
  });
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;

  return {
    /** The real client. */
    toClient: (key = KEY) =>
      new Stripe(key, { host: "127.0.0.1", port, protocol: "http", maxNetworkRetries: 2 }),
    /** A payment that was made with a card. `customer`: null if the card wasn't saved. */
    pay(
      id: string,
      { fingerprint = "card-1", ...changes }: Partial<Intent> & { readonly fingerprint?: string } = {},
    ): void {
      const { customer = "cus_1" } = changes;
      const method = { id: `pm_${id}`, type: "card", customer, card: { fingerprint } };
      methods.set(method.id, method);
      intents.set(id, {
        id,
        currency: "usd",
        amount: 5_990,
        status: "requires_capture",
        metadata: {},
        suffix: null,
        customer,
        payment_method: method.id,
        ...changes,
      });
      this.try(id, fingerprint);
    },
    /** Somebody tried to pay, whether or not the bank agreed. */
    try(id: string, fingerprint: string | null, type = "card"): void {
      const card = fingerprint === null ? null : { fingerprint };
      charges.push({ payment_intent: id, payment_method_details: { type, card } });
    },
    change: (id: string, changes: Partial<Intent>): void => void Object.assign(find(id), changes),
    detach: (id: string): void => void Object.assign(methods.get(`pm_${id}`) ?? {}, { customer: null }),
    /** Let the bank refuse, or `undefined` for no longer. */
    decline: (code: string | undefined): void => void (decline = code),
    /** Let the next calls of an action fail. */
    fail: (action: string, ...next: readonly Fault[]): void =>
      void faults.push(...next.map((fault) => ({ action, fault }))),
    find,
    /** What was made to show codes. */
    codes: (): readonly Intent[] => [...intents.values()].filter(({ suffix }) => suffix !== null),
    bank: bank as readonly BankEntry[],
    requests: requests as readonly string[],
  };
}
