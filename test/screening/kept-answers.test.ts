import { describe, expect, it, onTestFinished, vi } from "vitest";
import { toConfigError, toStoreUnavailable } from "../../src/base/errors.ts";
import { createKeptAnswers, toFailuresSinceMs, toKeptSinceMs } from "../../src/screening/kept-answers.ts";
import type { ScreeningTask } from "../../src/screening/screening-task.ts";
import type { KeptAnswer } from "../../src/store/store.ts";
import { anOrder, aResult } from "../support/orders.ts";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const NOW = Date.UTC(2026, 10, 20, 12);

const { orderId: _, ...withoutId } = anOrder();

describe("toKeptSinceMs", () => {
  it("goes back as far as orders are kept, by default 90 days", () => {
    expect(toKeptSinceMs(anOrder(), NOW)).toBe(NOW - 90 * DAY_MS);
    expect(toKeptSinceMs(anOrder(), NOW, 365)).toBe(NOW - 365 * DAY_MS);
    expect(toKeptSinceMs(anOrder(), NOW, 7)).toBe(NOW - 7 * DAY_MS);
  });

  it("goes back 15 minutes without an order id, however long orders are kept", () => {
    expect(toKeptSinceMs(withoutId, NOW, 365)).toBe(NOW - 15 * 60_000);
  });
});

describe("toFailuresSinceMs", () => {
  it("goes back a day without an order id, as far as answers with one, and to the recheck in any case", () => {
    expect(toFailuresSinceMs({ request: withoutId }, NOW)).toBe(NOW - DAY_MS);
    expect(toFailuresSinceMs({ request: anOrder() }, NOW)).toBe(NOW - 90 * DAY_MS);
    for (const request of [withoutId, anOrder()])
      expect(toFailuresSinceMs({ request, answersSinceMs: NOW - 5 }, NOW)).toBe(NOW - 5);
  });
});

describe("createKeptAnswers", () => {
  function setUp(request: ScreeningTask["input"]["request"]) {
    const clock = { nowMs: NOW };
    const asked: number[] = [];
    const stored: { answer: KeptAnswer | null; fault?: () => Promise<never> } = { answer: null };
    const findAnswer = async (_tenant: string, _fingerprint: string, sinceMs: number) => {
      asked.push(sinceMs);
      await stored.fault?.();
      return stored.answer !== null && stored.answer.answeredAtMs > sinceMs ? stored.answer : null;
    };
    const answers = createKeptAnswers({ ledger: { findAnswer } }, () => clock.nowMs, 10);
    const input = { tenant: "t", request } as ScreeningTask["input"];
    const task: ScreeningTask = { input, fingerprint: "fp", key: "t\0fp" };
    const answer: KeptAnswer = { result: aResult(), answeredAtMs: NOW };
    answers.remember(task, answer, answers.mark());
    return { answers, task, answer, asked, clock, stored };
  }

  it("uses an answer in memory no longer than one in the store", async () => {
    const { answers, task, answer, asked, clock } = setUp(withoutId);

    clock.nowMs += 15 * 60_000;
    expect(await answers.find(task)).toEqual(answer);
    clock.nowMs += 1;
    expect(await answers.find(task)).toBeNull();

    expect(asked).toEqual([NOW, NOW + 1]);
  });

  it("uses the answer of another process's recheck instead of its own older one", async () => {
    const { answers, task, answer, stored } = setUp(anOrder());
    expect(await answers.find(task)).toEqual(answer);

    stored.answer = { result: aResult("critical"), answeredAtMs: NOW + 1_000 };

    expect(await answers.find(task)).toEqual(stored.answer);
    stored.answer = null;
    expect(await answers.find(task)).toMatchObject({ answeredAtMs: NOW + 1_000 });
  });

  it("asks the store again after an hour: another process may have erased the answer", async () => {
    const { answers, task, answer, asked, clock } = setUp(anOrder());

    clock.nowMs += HOUR_MS;
    expect(await answers.find(task)).toEqual(answer);
    clock.nowMs += 1;
    expect(await answers.find(task)).toBeNull();

    expect(asked).toEqual([NOW, clock.nowMs - 10 * DAY_MS]);
  });

  it("uses an answer in memory when the store fails, and nothing without one", async () => {
    const { answers, task, answer, stored } = setUp(anOrder());
    const fail = (cause: Error) => {
      stored.fault = async () => {
        throw cause;
      };
    };

    fail(toStoreUnavailable("the database is down"));
    expect(await answers.find(task)).toEqual(answer);
    await expect(answers.find({ ...task, key: "t\0other" })).rejects.toThrow("the database is down");
    fail(toConfigError("a mistake"));
    await expect(answers.find(task)).rejects.toThrow("a mistake");
  });

  it("waits a quarter of a second for a store that hangs before it uses the answer in memory", async () => {
    vi.useFakeTimers();
    onTestFinished(() => void vi.useRealTimers());
    const { answers, task, answer, stored } = setUp(anOrder());
    stored.fault = () => new Promise(() => {});

    let found: KeptAnswer | null | undefined;
    void answers.find(task).then((result) => (found = result));

    await vi.advanceTimersByTimeAsync(249);
    expect(found).toBeUndefined();
    await vi.advanceTimersByTimeAsync(1);
    expect(found).toEqual(answer);
  });
});
