import {
  checkOptions,
  type CardCodes,
  type NoCardCode,
  type NotPossible,
  type OptionRules,
} from "../../src/adapter-kit.ts";
import type { Logger } from "../../src/index.ts";
import {
  CARD_CODE_MARK,
  type StripeCardCharge,
  type StripeCardIntent,
  type StripeCardMethod,
  type StripeCodeClient,
} from "./card-code-client.ts";

/** Options of {@link createStripeCardCodes}. */
export interface StripeCardCodesOptions {
  /** A client of the package `stripe`. Its key stays yours. */
  readonly stripe: StripeCodeClient;
  /** Called with Stripe's codes when it refuses. @default silent */
  readonly logger?: Pick<Logger, "warn"> | undefined;
}

const OPTIONS: OptionRules<StripeCardCodesOptions> = {
  stripe: {
    expected: "a client of the package stripe",
    is: (stripe) => typeof (stripe as Partial<StripeCodeClient> | undefined)?.paymentIntents === "object",
    isRequired: true,
  },
  logger: { is: ["warn"], expected: "a function warn" },
};

/** Holdfast tries again by itself, so the client doesn't have to. */
const CALL = { timeout: 10_000, maxNetworkRetries: 0 } as const;
/** More payments of one order, or tries of one payment, than anybody needs. */
const MOST_PAYMENTS = 10;
const MOST_TRIES = 100;

/**
 * About 1 USD in minor units, and at least twice what Stripe takes. Not in rupees: a bank there asks the holder first. Other
 * currencies have no amount that Stripe surely takes.
 */
const AMOUNTS: Readonly<Record<string, number | undefined>> = {
  usd: 100,
  eur: 100,
  gbp: 100,
  aed: 400,
  aud: 150,
  brl: 600,
  cad: 150,
  chf: 100,
  czk: 3_000,
  dkk: 700,
  hkd: 800,
  huf: 40_000,
  jpy: 150,
  mxn: 2_000,
  myr: 500,
  nok: 1_000,
  nzd: 150,
  pln: 400,
  ron: 500,
  sek: 1_000,
  sgd: 150,
  thb: 4_000,
};

/**
 * Show codes to the holders of cards with Stripe: in the statement text of a payment intent of its own, off-session, with
 * `capture_method: "manual"`. It's never captured. If nobody cancels it, Stripe does when its authorization ends.
 */
export function createStripeCardCodes(given: StripeCardCodesOptions): CardCodes {
  const { stripe, logger } = checkOptions("createStripeCardCodes", given, OPTIONS);
  const ask = createAsk(logger);
  return {
    async find(payments) {
      const card = await findCard(stripe, ask, payments);
      return isNotPossible(card) ? card : { outcome: "possible" };
    },

    async prepare(payments, code) {
      const card = await findCard(stripe, ask, payments);
      if (isNotPossible(card)) return card;
      // Without an idempotency key: Stripe would repeat a 500 to it for a day. Until it's confirmed, a second one does no harm.
      const created = await ask(() => stripe.paymentIntents.create({ ...card, ...toText(code) }, CALL));
      return isNotPossible(created) ? created : { outcome: "prepared", reference: created.id };
    },

    async show(reference) {
      // An intent is authorized once at most. After a lost answer, its status says whether it was.
      const read = await ask(() => stripe.paymentIntents.retrieve(reference, { expand: [] }, CALL));
      if (isNotPossible(read)) return read;
      const intent =
        read.status === "requires_confirmation"
          ? await ask(() => stripe.paymentIntents.confirm(reference, { off_session: true }, CALL))
          : read;
      if (isNotPossible(intent)) return intent;
      if (intent.status === "processing") throw new Error("Stripe is still authorizing the amount");
      return intent.status === "requires_capture" ? { outcome: "shown" } : notPossible("no-payment");
    },

    end: (reference) => giveBack(stripe, reference),
  };
}

type Ask = ReturnType<typeof createAsk>;

/** What Stripe refuses for good is a reason; everything else is tried again. */
function createAsk(logger: StripeCardCodesOptions["logger"]) {
  return async <T>(call: () => PromiseLike<T>): Promise<T | NotPossible> => {
    try {
      return await call();
    } catch (error) {
      const { status, code } = readError(error);
      logger?.warn({ status, code }, "a call to Stripe about a code for a card's holder failed");
      const reason = REASONS.get(status ?? 0);
      if (reason !== undefined && code !== ENDED_BEFORE) return notPossible(reason);
      throw toFailure(error);
    }
  };
}

/** Every card of every try has to be the one that paid. */
async function findCard(
  stripe: StripeCodeClient,
  ask: Ask,
  payments: readonly string[],
): Promise<FoundCard | NotPossible> {
  if (payments.length === 0) return notPossible("no-payment");
  if (payments.length > MOST_PAYMENTS) return notPossible("several-cards");
  if (!payments.every((id) => /^pi_\w+$/.test(id))) return notPossible("not-a-card");
  const intents: StripeCardIntent[] = [];
  const charges: StripeCardCharge[] = [];
  for (const id of payments) {
    const intent = await ask(() => stripe.paymentIntents.retrieve(id, { expand: ["payment_method"] }, CALL));
    if (isNotPossible(intent)) return intent;
    const tried = await ask(() => stripe.charges.list({ payment_intent: id, limit: MOST_TRIES }, CALL));
    if (isNotPossible(tried)) return tried;
    if (tried.has_more) return notPossible("several-cards");
    intents.push(intent);
    charges.push(...tried.data);
  }
  return chooseCard(intents, charges);
}

function toText(code: string) {
  return {
    payment_method_types: ["card"],
    capture_method: "manual" as const,
    statement_descriptor_suffix: code,
    description: "A code for the card's holder (Holdfast). Don't capture it.",
    metadata: { ...CARD_CODE_MARK },
  };
}

async function giveBack(stripe: StripeCodeClient, reference: string): Promise<void> {
  try {
    const { status } = await stripe.paymentIntents.retrieve(reference, { expand: [] }, CALL);
    if (status === "canceled") return;
    // Somebody captured it by hand.
    if (status === "succeeded") await stripe.refunds.create({ payment_intent: reference }, CALL);
    else await stripe.paymentIntents.cancel(reference, { cancellation_reason: "abandoned" }, CALL);
  } catch (error) {
    const { code } = readError(error);
    if (code !== "charge_already_refunded" && code !== "resource_missing") throw toFailure(error);
  }
}

/** Not the client's error: it can quote the request. */
function toFailure(error: unknown): Error {
  const { status, code } = readError(error);
  return new Error(`Stripe failed (${status ?? code ?? "no answer"})`);
}

/** Stripe's code when a payment is in another state than the call needs, for example because two processes called. */
const ENDED_BEFORE = "payment_intent_unexpected_state";

const REASONS: ReadonlyMap<number, NoCardCode> = new Map([
  [400, "platform-cannot"],
  [401, "not-configured"],
  // The bank refused, or wants the holder to confirm.
  [402, "no-payment"],
  [403, "not-configured"],
  [404, "no-payment"],
]);

interface FoundCard {
  readonly amount: number;
  readonly currency: string;
  readonly customer: string;
  readonly payment_method: string;
}

function chooseCard(
  intents: readonly StripeCardIntent[],
  charges: readonly StripeCardCharge[],
): FoundCard | NotPossible {
  const fingerprints = new Set(charges.map(({ payment_method_details: tried }) => toFingerprint(tried)));
  if (fingerprints.has(undefined)) return notPossible("not-a-card");
  if (fingerprints.size > 1) return notPossible("several-cards");
  const paid = intents.find(({ status }) => status === "requires_capture" || status === "succeeded");
  if (paid === undefined || fingerprints.size === 0) return notPossible("no-payment");
  const { payment_method: method } = paid;
  if (method === null || typeof method === "string") return notPossible("no-payment");
  const print = toFingerprint(method);
  if (print === undefined) return notPossible("not-a-card");
  if (!fingerprints.has(print)) return notPossible("several-cards");
  const customer = toId(paid.customer);
  if (customer === undefined || toId(method.customer) !== customer) return notPossible("card-not-saved");
  const { currency } = paid;
  const amount = AMOUNTS[currency];
  if (amount === undefined) return notPossible("platform-cannot");
  return { amount, currency, customer, payment_method: method.id };
}

function toFingerprint(method: Pick<StripeCardMethod, "type" | "card"> | null): string | undefined {
  return method?.type === "card" ? (method.card?.fingerprint ?? undefined) : undefined;
}

function toId(linked: StripeCardIntent["customer"]): string | undefined {
  return typeof linked === "string" ? linked : linked?.id;
}

function notPossible(reason: NoCardCode): NotPossible {
  return { outcome: "not-possible", reason };
}

function isNotPossible(answer: unknown): answer is NotPossible {
  return (answer as Partial<NotPossible> | null)?.outcome === "not-possible";
}

/** The status and the code of an error of the client, and nothing that could be personal or secret. */
function readError(error: unknown): { readonly status?: number; readonly code?: string } {
  const { statusCode: status, code } = (error ?? {}) as { statusCode?: unknown; code?: unknown };
  return {
    ...(typeof status === "number" ? { status } : {}),
    ...(typeof code === "string" && /^\w{1,64}$/.test(code) ? { code } : {}),
  };
}
