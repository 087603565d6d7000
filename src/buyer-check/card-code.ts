import { createHash, timingSafeEqual } from "node:crypto";
import { MOST_TRIES } from "../order/buyer-check.ts";
import type { PlatformCardCodes } from "../platform/platform.ts";
import type { BuyerCheck } from "../store/buyer-checks/buyer-check.ts";
import type { Keyring } from "../store/sealing/keyring.ts";
import type { Store } from "../store/store.ts";
import { html } from "./html.ts";
import type { AskedOrder, Beginning, BuyerMethod, Judgement, Offer } from "./method.ts";

/** Consonants that look like no other sign, so that a code is no word, and every part of it is a letter. */
const LETTERS = "CDFGHJKMNPQRTVWXY";
/** 24 million codes, of which a link takes five. */
const LENGTH = 6;
/** Longer answers are cut: nobody writes that much by mistake. */
const LONGEST_ANSWER = 64;

/**
 * Show a code to the holder of the card that paid, and ask for it. Who only knows the card's number doesn't see its statement. The
 * code is in the text of a small amount, which is given back when the question is settled (`card-code-ending.ts`).
 */
export function createCardCode(
  store: Pick<Store, "buyerChecks" | "cardCodes"> & { readonly keyring: Pick<Keyring, "digest"> },
): BuyerMethod {
  return {
    name: "card-code",

    async offer({ order, platform: { cardCodes }, signal }): Promise<Offer> {
      if (cardCodes === undefined) return { possible: false, reason: "platform-cannot" };
      // A card's holder sees one amount for each order, however often the order changes.
      const earlier = await store.buyerChecks.list(order);
      if (earlier.some(({ methods }) => methods["card-code"] === true))
        return { possible: false, reason: "already-used" };
      const found = await reach(signal, async () => {
        const payments = await cardCodes.listPayments(order.tenant, order.orderId, { signal });
        return cardCodes.find(payments, { signal });
      });
      if (found.outcome === "possible") return { possible: true };
      return { possible: false, reason: found.reason };
    },

    async begin({ order, platform: { cardCodes }, signal, nowMs }, checkId): Promise<Beginning> {
      if (cardCodes === undefined) return { outcome: "not-possible", reason: "platform-cannot" };
      const key = { tenant: order.tenant, orderId: order.orderId, checkId };
      const prepared =
        (await store.cardCodes.find(key)) ??
        (await reach(signal, () => prepare(cardCodes, order, toCode(store.keyring, key), signal)));
      if (typeof prepared === "object" && prepared.outcome !== "prepared") return prepared;
      const reference =
        typeof prepared === "string"
          ? prepared
          : // Noted before it's authorized: after a crash, the same amount is found, and given back in the end.
            await store.cardCodes.note({ ...key, reference: prepared.reference }, nowMs + FIRST_LOOK_MS);
      const shown = await reach(signal, () => cardCodes.show(reference, { signal }));
      return shown.outcome === "shown" ? { outcome: "begun", kept: true } : shown;
    },

    form: toForm,

    async judge({ check }, { fields }): Promise<Judgement> {
      if (fields.get("answer") === "no") return { outcome: "answered", answer: "wrong" };
      const given = toLetters(fields.get("code") ?? "");
      if (given === "") return { outcome: "again", problem: "code-missing", isFree: true };
      if (isSame(given, toCode(store.keyring, check))) return { outcome: "answered", answer: "right" };
      // Who tried so often doesn't see the card's statement. A person decides, and the hold's deadline releases nothing.
      if (check.tries + 1 >= MOST_TRIES) return { outcome: "answered", answer: "wrong" };
      return { outcome: "again", problem: "code-wrong" };
    },
  };
}

const toForm: BuyerMethod["form"] = ({ texts, check }, action) => {
  // Where there is another form, it has this button already.
  const isFirst = check.methods["earlier-address"] !== true;
  return html`<form method="post" action="${action}">
    <h2>${texts["code-title"]}</h2>
    <p id="code-text">${texts["code-text"]}</p>
    <label for="code">${texts["code-label"]}</label>
    <input
      id="code"
      name="code"
      type="text"
      maxlength="${LONGEST_ANSWER}"
      autocomplete="off"
      autocapitalize="characters"
      spellcheck="false"
      aria-describedby="code-text"
    />
    <p class="answers">
      <button name="answer" value="send">${texts["code-send"]}</button>
      ${isFirst && html`<button name="answer" value="no" class="plain">${texts["earlier-no"]}</button>`}
    </p>
  </form>`;
};

/** By then the link is usually sent. */
const FIRST_LOOK_MS = 10 * 60_000;

async function prepare(
  cardCodes: PlatformCardCodes,
  { tenant, orderId }: AskedOrder["order"],
  code: string,
  signal: AbortSignal,
) {
  const payments = await cardCodes.listPayments(tenant, orderId, { signal });
  return cardCodes.prepare(payments, code, { signal });
}

/** Ask the payment platform. What fails is tried again later. */
async function reach<T>(signal: AbortSignal, call: () => Promise<T>) {
  signal.throwIfAborted();
  try {
    return await call();
  } catch {
    signal.throwIfAborted();
    return { outcome: "not-possible", reason: "try-again-later" } as const;
  }
}

type CodeKey = Pick<BuyerCheck, "tenant" | "orderId" | "checkId">;

/**
 * A check's code. Like its link, it isn't stored, but made from the check's random ID with the tenant's key: the same after a crash,
 * and another for each order, decision and tenant.
 */
export function toCode(keyring: Pick<Keyring, "digest">, { tenant, orderId, checkId }: CodeKey): string {
  const digest = Buffer.from(keyring.digest(tenant, "card-code", `${orderId}\0${checkId}`), "base64url");
  let rest = BigInt(`0x${digest.toString("hex")}`);
  let code = "";
  while (code.length < LENGTH) {
    code += LETTERS.charAt(Number(rest % BigInt(LETTERS.length)));
    rest /= BigInt(LETTERS.length);
  }
  return code;
}

/** As on a statement: in capitals, without spaces and other signs. */
function toLetters(text: string): string {
  return text
    .slice(0, LONGEST_ANSWER)
    .normalize("NFKC")
    .toUpperCase()
    .replaceAll(/[^A-Z0-9]/g, "");
}

function isSame(given: string, code: string): boolean {
  const [one, other] = [given, code].map((text) => createHash("sha256").update(text).digest());
  return one !== undefined && other !== undefined && timingSafeEqual(one, other);
}
