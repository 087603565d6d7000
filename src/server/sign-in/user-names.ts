import { isHoldfastError } from "../../base/errors.ts";
import { cleanText } from "../../order/text.ts";
import type { Platform } from "../../platform/platform.ts";
import type { Person, PersonKey } from "../../store/people/person.ts";
import { createSharedAnswers } from "../http/shared-answers.ts";
import type { ServerParts } from "../parts/server-parts.ts";

/** A platform that doesn't give somebody's name is asked again after this. */
const ASK_AGAIN_MS = 3_600_000;
/** Somebody waits for the page, which works without a name. */
const TIME_LIMIT_MS = 2_000;
const NAME_LENGTH = 100;
/** They would change the direction of the text around a name. */
const DIRECTIONS = /[\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]/gu;

/**
 * Create the function that asks the platform, once, for the name of a person who has none yet. It stores the name, and
 * resolves to the person with it. Never rejects: without a name, an owner can name the person.
 */
export function createUserNames({ store, now, logger }: Pick<ServerParts, "store" | "now" | "logger">) {
  const answers = createSharedAnswers<void>({ forMs: ASK_AGAIN_MS, now });

  async function read(platform: Platform, bearer: string, key: PersonKey): Promise<void> {
    try {
      const given = await platform.readUserName?.(bearer, { signal: AbortSignal.timeout(TIME_LIMIT_MS) });
      const name = cleanText(given?.replaceAll(DIRECTIONS, ""), NAME_LENGTH);
      if (name !== undefined) await store.people.nameOnce(key, name);
    } catch (error) {
      const code = isHoldfastError(error) ? error.code : undefined;
      logger.warn({ code, platform: platform.name }, "a person's name couldn't be read from the platform");
    }
  }

  return async (platform: Platform, bearer: string, key: PersonKey, person: Person): Promise<Person> => {
    if (person.name !== null || platform.readUserName === undefined) return person;
    await answers(`${key.tenant} ${key.actor}`, () => read(platform, bearer, key));
    // From the store: a name that is kept here would outlive its erasure.
    return store.people.admit(key, now());
  };
}
