import { describe, expect, it } from "vitest";
import { createSharedAnswers } from "../../../src/server/http/shared-answers.ts";

function createQuestions(forMs = 0) {
  let nowMs = 1_000;
  const answers = createSharedAnswers<number>({ forMs, now: () => nowMs });
  const asked: { signal: AbortSignal; resolve(answer: number): void; reject(error: Error): void }[] = [];
  const ask = (signal: AbortSignal): Promise<number> => {
    const { promise, resolve, reject } = Promise.withResolvers<number>();
    asked.push({ signal, resolve, reject });
    return promise;
  };
  return { answers, asked, ask, wait: (ms: number) => (nowMs += ms) };
}

describe("createSharedAnswers", () => {
  it("asks once for all callers with the same question, however long it takes", async () => {
    const { answers, asked, ask, wait } = createQuestions();
    const first = answers("a", ask);
    wait(60_000);
    const second = answers("a", ask);
    const other = answers("b", ask);

    asked[0]?.resolve(1);
    asked[1]?.resolve(2);

    expect(await Promise.all([first, second, other])).toEqual([1, 1, 2]);
    expect(asked).toHaveLength(2);
  });

  it("stops asking when the last waiting caller has left, and not before", async () => {
    const { answers, asked, ask } = createQuestions();
    const callers = [new AbortController(), new AbortController()];
    const waiting = callers.map(({ signal }) => answers("a", ask, signal));

    callers[0]?.abort(new Error("gone"));
    await expect(waiting[0]).rejects.toThrow("gone");
    expect(asked[0]?.signal.aborted).toBe(false);
    callers[1]?.abort(new Error("gone too"));
    await expect(waiting[1]).rejects.toThrow("gone too");
    expect(asked[0]?.signal.aborted).toBe(true);

    const again = answers("a", ask);
    // The stopped one takes a while to end, and its result isn't used.
    asked[0]?.reject(new Error("stopped"));
    asked[1]?.resolve(2);
    expect(await again).toBe(2);
    expect(asked).toHaveLength(2);
  });

  it("doesn't ask for a caller that already left", async () => {
    const { answers, asked, ask } = createQuestions();
    await expect(answers("a", ask, AbortSignal.abort(new Error("gone")))).rejects.toThrow("gone");
    expect(asked).toEqual([]);
  });

  it("doesn't reuse an answer for longer because the clock was set back", async () => {
    const { answers, asked, ask, wait } = createQuestions(5_000);
    const first = answers("a", ask);
    asked[0]?.resolve(1);
    await first;

    wait(-60_000);
    void answers("a", ask);

    expect(asked).toHaveLength(2);
  });

  it("reuses an answer for a while, and a failure too", async () => {
    const { answers, asked, ask, wait } = createQuestions(5_000);
    const failed = answers("a", ask);
    asked[0]?.reject(new Error("no"));
    await expect(failed).rejects.toThrow("no");
    wait(4_999);
    await expect(answers("a", ask)).rejects.toThrow("no");
    wait(1);
    const second = answers("a", ask);
    asked[1]?.resolve(2);
    expect(await second).toBe(2);
    expect(await answers("a", ask)).toBe(2);
    expect(asked).toHaveLength(2);
  });
});
