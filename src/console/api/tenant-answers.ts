import { LRUCache } from "lru-cache";
import { createSharedAnswer, type SharedAnswerOptions } from "../http/shared-answer.ts";

/** Answers kept at once; the one asked for longest ago makes room. */
const ANSWERS_KEPT = 1_000;

/** As `createSharedAnswer`, by key: each tenant's answer is shared among those who ask for that tenant. */
export function createTenantAnswers<T>(
  options: SharedAnswerOptions,
): (key: string, ask: () => Promise<T>) => Promise<T> {
  const answers = new LRUCache<string, () => Promise<T>>({ max: ANSWERS_KEPT });
  return (key, ask) => {
    const known = answers.get(key);
    if (known !== undefined) return known();
    const shared = createSharedAnswer(ask, options);
    answers.set(key, shared);
    return shared();
  };
}
