/** Options of {@link createSharedAnswer}. */
export interface SharedAnswerOptions {
  /** How long an answer is given again, in milliseconds from when it was asked for. */
  readonly forMs: number;
  readonly now: () => number;
}

/**
 * Ask once for everybody who asks at about the same time. Keeps an address that anybody may call, such as `/metrics`,
 * from turning into as many questions to the store. Failures are shared like answers.
 */
export function createSharedAnswer<T>(ask: () => Promise<T>, options: SharedAnswerOptions): () => Promise<T> {
  let shared: { readonly answer: Promise<T>; readonly untilMs: number } | undefined;
  return () => {
    if (shared === undefined || options.now() >= shared.untilMs) {
      shared = { answer: ask(), untilMs: options.now() + options.forMs };
    }
    return shared.answer;
  };
}
