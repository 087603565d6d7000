import * as fc from "fast-check";
import { readFileSync } from "node:fs";
import { createLocalEngine, type LocalAssessment } from "../../src/engine/engine.ts";
import type { PartialVerificationRequest } from "../../src/order/request.ts";
import { readFactorCode } from "../../src/order/result.ts";
import { orderArbitrary, velocityArbitrary } from "./arbitrary-order.ts";
import { HOMELANDS, toLegitimateOrder } from "./legitimate/legitimate-orders.ts";
import { OWN_SCENARIOS } from "./own-scenarios.ts";
import { play } from "./play.ts";
import { HARD_RINGS } from "./rings.ts";
import { FIRES } from "./signal-examples.ts";
import { FRAUD_STORIES } from "./stories/fraud-stories.ts";
import { HONEST_STORIES } from "./stories/honest-stories.ts";
import { tell } from "./stories/tell.ts";

/** An answer, and where its order comes from. */
export interface Given {
  readonly from: string;
  readonly answer: LocalAssessment;
}

const PER_COUNTRY = 10;
const RANDOM_ORDERS = 1_500;
const SEED = Number(process.env["PROPERTY_SEED"] ?? 20_261_130);
const engine = createLocalEngine({ now: () => 0 });

const SCENARIOS = JSON.parse(
  readFileSync(new URL("../fixtures/local/scenarios.json", import.meta.url), "utf8"),
) as readonly { readonly id: string; readonly order: PartialVerificationRequest }[];

/** The last answer of each story and of each ring, and all of the others that need no shop. */
export async function listAnswers(): Promise<readonly Given[]> {
  const given: Given[] = [];
  const add = (from: string, answer: LocalAssessment | undefined): void => {
    if (answer !== undefined) given.push({ from, answer });
  };
  for (const [code, , what, { context, velocity, ...order }] of FIRES) {
    add(`${code}: ${what}`, engine.assess(order, velocity, [], context));
  }
  for (const { what, order, context } of OWN_SCENARIOS)
    add(what, engine.assess(order, undefined, [], context));
  for (const { id, order } of SCENARIOS) add(id, engine.assess(order));
  for (const story of [...FRAUD_STORIES, ...HONEST_STORIES]) add(story.what, (await tell(story)).at(-1));
  for (const { what, orders, apartMs } of HARD_RINGS) add(what, (await play(orders, apartMs)).at(-1));
  for (const home of HOMELANDS) {
    for (let number = 0; number < PER_COUNTRY; number += 1) {
      add(`${home.code} ${number}`, engine.assess(toLegitimateOrder(home, number)));
    }
  }
  const counts = fc.option(velocityArbitrary, { nil: undefined });
  const random = fc.sample(fc.tuple(orderArbitrary, counts), { numRuns: RANDOM_ORDERS, seed: SEED });
  for (const [index, [order, velocity]] of random.entries())
    add(`random ${index}`, engine.assess(order, velocity));
  return given;
}

/** Each factor's code and sentence. */
export function listSaid({
  riskFactors,
}: LocalAssessment): readonly { readonly code: string; readonly text: string }[] {
  return riskFactors.map(({ description }) => ({
    code: readFactorCode(description) ?? "",
    text: description.replace(/ \[[A-Z_\d]+\]$/, ""),
  }));
}
