import { describe, expect, it } from "vitest";
import { listAnswers, listSaid } from "./answers.ts";

const ANSWERS = await listAnswers();

/** What sentences state, each as a key that may hold what they name. */
const FACTS: readonly (readonly [fact: string, states: RegExp])[] = [
  [
    "no earlier order",
    /has not ordered here before|no known earlier orders|first order|[Nn]o earlier order is known, /,
  ],
  ["billed and shipped elsewhere", /[Bb]illed in|billed elsewhere|to where it's billed|another country than/],
  ["age of the account", /account is (?:\d+ days|a day|less than a week) old/],
  ["far above the average", /the customer's average|far above/],
  ["amount", /about (\d+ USD)/],
  ["home of the addresses", /order's addresses are in/],
  ["country of the network", /(?:registered|server is) in ([A-Z]{2})\b/],
  ["country of the phone", /phone number is one of|from another country/],
  ["name in the email address", /@ .*match/],
  ["name on the card", /name on the card doesn't match|card has another name/],
  ["number of one article", /(“[^”]+”)(?:: \d+ in all)|\d+ units of (“[^”]+”)/],
  ["a wave", /Customers without a history/],
  ["canceled orders", /canceled/],
];

/** Pairs whose sentences have most words in common and state different facts. */
const ALIKE = new Set([
  "ADDRESS_NONSENSE HOLDER_NONSENSE",
  "ADDRESS_NONSENSE NAME_NONSENSE",
  "ADDR_MULTI_CARD EMAIL_MULTI_CARD",
  "ADDR_MULTI_EMAIL CARD_MULTI_EMAIL",
  // The worth of the cards and that of the order, which differ.
  "AMOUNT_HIGH_FIRST GIFT_CARDS",
  "CARD_MULTI_ADDRESS CARD_MULTI_EMAIL",
  "CARD_MULTI_EMAIL IP_MULTI_EMAIL",
  "CARD_MULTI_EMAIL IP_MULTI_EMAIL_6",
  "BIN_SURGE GOODS_SURGE",
  "BIN_SURGE NETWORK_SURGE",
  "BIN_SURGE SMALL_SURGE",
  "GOODS_SURGE NETWORK_SURGE",
  "GOODS_SURGE SMALL_SURGE",
  "NETWORK_SURGE SMALL_SURGE",
  "EMAIL_MANY_DIGITS EMAIL_NAME_MISMATCH",
  "EMAIL_NAME_MISMATCH HOLDER_MISMATCH",
  "HOLDER_NONSENSE NAME_NONSENSE",
  // The articles that sell on easily, and how many there are of one.
  "RESALE_ITEM RESALE_QUANTITY",
]);
const MOST_ALIKE = 0.55;

const SMALL_WORDS = new Set(
  "the a an of and is in to at was has have had it its it's this that on with as than by not isn't doesn't are were or for order from no which be".split(
    " ",
  ),
);

function toContent(text: string): ReadonlySet<string> {
  const words = text.toLowerCase().match(/[\p{L}\p{N}@*'.]*[\p{L}\p{N}@*]/gu) ?? [];
  return new Set(words.filter((word) => !SMALL_WORDS.has(word)));
}

function toPairs<T>(all: readonly T[]): readonly (readonly [T, T])[] {
  return all.flatMap((one, index) => all.slice(index + 1).map((other) => [one, other] as const));
}

/** The facts that two or more factors of an answer state. */
function findRepeats(said: ReturnType<typeof listSaid>): readonly string[] {
  return FACTS.flatMap(([fact, states]) => {
    const found = said.flatMap(({ code, text }) => {
      const match = states.exec(text);
      return match === null ? [] : [{ code, key: match[1] ?? match[2] ?? "" }];
    });
    return toPairs(found)
      .filter(([one, other]) => one.key === other.key)
      .map(([one, other]) => `${one.code} and ${other.code} both state: ${fact} ${one.key}`);
  });
}

describe("the factors of an answer", () => {
  it("are looked at in thousands of answers, with every kind of order", () => {
    const codes = new Set(ANSWERS.flatMap(({ answer }) => listSaid(answer).map(({ code }) => code)));

    expect(ANSWERS.length).toBeGreaterThan(2_000);
    expect(codes.size).toBeGreaterThan(70);
  });

  it("state each fact once", () => {
    const repeats = new Set(ANSWERS.flatMap(({ answer }) => findRepeats(listSaid(answer))));

    expect([...repeats].toSorted()).toEqual([]);
  });

  it("tell a wave in full first, and then in what else it is one", () => {
    const late = ANSWERS.flatMap(({ answer }) => {
      const waves = listSaid(answer).filter(({ code }) => code.endsWith("_SURGE"));
      return waves.filter(({ text }, index) => text.includes("within six hours") !== (index === 0));
    });

    expect(late).toEqual([]);
  });

  it("have sentences of their own: none has most of its words from another", () => {
    const pairs = new Map<string, string>();
    for (const { answer } of ANSWERS) {
      const said = listSaid(answer).toSorted((a, b) => (a.code < b.code ? -1 : 1));
      for (const [one, other] of toPairs(said)) {
        const [left, right] = [toContent(one.text), toContent(other.text)];
        const shared = [...left].filter((word) => right.has(word)).length / Math.min(left.size, right.size);
        const pair = `${one.code} ${other.code}`;
        if (shared > MOST_ALIKE && !ALIKE.has(pair)) pairs.set(pair, `${one.text} | ${other.text}`);
      }
    }

    expect(Object.fromEntries(pairs)).toEqual({});
  });

  it("are summed up without naming a part beside what joins it", () => {
    const twice = ANSWERS.filter(({ answer: { reasoning } }) => {
      const [, top = ""] = /Against the order: ([^.]*)\./.exec(reasoning) ?? [];
      const titles = top.split("; ");
      return titles.includes("First order") && titles.some((title) => /first order|New customer/.test(title));
    });

    expect(twice.map(({ from, answer }) => `${from}: ${answer.reasoning}`)).toEqual([]);
  });

  it("say what makes them serious, if they are: a number, a comparison or what follows from it", () => {
    const REASON =
      /\d|, so | so |, which |looks like|has the same name|The whole order is|another continent|seldom has both|own analysis|hardly ever|soon end|go on from there/;
    const bare = ANSWERS.flatMap(({ answer }) =>
      answer.riskFactors
        .filter(({ severity }) => severity === "high" || severity === "critical")
        .map(({ description }) => description.replace(/ \[[A-Z_\d]+\]$/, ""))
        .filter((text) => !REASON.test(text)),
    );

    expect([...new Set(bare)]).toEqual([]);
  });

  it("name the goods that they are about", () => {
    const unnamed = ANSWERS.flatMap(({ answer }) => {
      const said = listSaid(answer).filter(({ code }) =>
        ["GIFT_CARDS", "RESALE_QUANTITY", "RESALE_ITEM", "BULK_QUANTITY"].includes(code),
      );
      const isNamed = said.some(({ text }) => /“.+”|The platform says/.test(text));
      return said.length === 0 || isNamed ? [] : said.map(({ text }) => text);
    });

    expect([...new Set(unnamed)]).toEqual([]);
  });

  it("never stand above the advice to process the order, if one of them is strong", () => {
    const careless = ANSWERS.filter(
      ({ answer: { riskFactors, recommendations } }) =>
        riskFactors.some(({ severity }) => severity === "high" || severity === "critical") &&
        /as usual/i.test(recommendations.join(" ")),
    );

    expect(careless.map(({ from }) => from)).toEqual([]);
  });
});
