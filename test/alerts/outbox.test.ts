import { once } from "node:events";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import type { AlertMessage } from "../../src/alerts/alert-message.ts";
import { type Delivery, createOutbox } from "../../src/alerts/outbox.ts";
import { createLogRecorder } from "../support/log-recorder.ts";
import {
  createRecordingChannel,
  REFUSED,
  SENT,
  UNREACHABLE,
  type RecordedAnswer,
} from "./recording-channel.ts";
import { until } from "../support/until.ts";

const toMessage = (id: string): AlertMessage => ({ id, subject: "s", text: "t", fields: {} });

function setUp(
  answer: RecordedAnswer,
  options: { readonly max?: number; readonly retryDelaysMs?: readonly number[] | undefined } = {},
) {
  const recording = createRecordingChannel(answer);
  const { lines, logger } = createLogRecorder();
  const ended: string[] = [];
  const outbox = createOutbox({
    channel: recording.channel,
    logger,
    retryDelaysMs: [1, 1],
    ...options,
  });
  return {
    ...recording,
    lines,
    ended,
    outbox,
    /** Adds a message that records how it ended. */
    push: (id: string) =>
      outbox.push(toMessage(id), (isOver) => ended.push(`${id} ${isOver ? "over" : "left"}`)),
    ids: () => recording.tried.map(({ id }) => id),
  };
}

describe("createOutbox", () => {
  it("delivers one message after the other", async () => {
    const { push, ids, ended } = setUp(() => SENT);

    for (const id of ["a", "b", "c"]) push(id);

    await until(() => expect(ended).toEqual(["a over", "b over", "c over"]));
    expect(ids()).toEqual(["a", "b", "c"]);
  });

  it("tries three times on temporary failures, and logs it once", async () => {
    const { push, ids, ended, lines } = setUp(() => UNREACHABLE);

    push("a");

    await until(() => expect(ended).toEqual(["a over"]));
    expect(ids()).toEqual(["a", "a", "a"]);
    expect(lines).toEqual([
      {
        level: "error",
        message: "an alert couldn't be sent",
        alert: "notifier_failed",
        channel: "webhook",
        problem: "ECONNREFUSED",
      },
    ]);
  });

  it("logs nothing if a later try delivers a message", async () => {
    const { push, ended, lines } = setUp((tries) => (tries < 3 ? UNREACHABLE : SENT));

    push("a");

    await until(() => expect(ended).toEqual(["a over"]));
    expect(lines).toEqual([]);
  });

  it.each([
    ["as long as the receiver asks", 30_000, 30_000],
    ["four minutes at most", 86_400_000, 240_000],
    ["no shorter than planned", -5_000, 1_000],
  ])("waits %s", async (_, retryAfterMs, pauseMs) => {
    vi.useFakeTimers();
    onTestFinished(() => void vi.useRealTimers());
    const busy: Delivery = { outcome: "failed", retryable: true, problem: "status:429", retryAfterMs };
    const { push, ended, tried } = setUp((tries) => (tries < 2 ? busy : SENT), { retryDelaysMs: [1_000] });

    push("a");
    await vi.advanceTimersByTimeAsync(pauseMs - 1);
    const before = tried.length;
    await vi.advanceTimersByTimeAsync(1);

    expect([before, tried.length, ended]).toEqual([1, 2, ["a over"]]);
  });

  it("doesn't retry after a permanent refusal", async () => {
    const { push, ids, ended } = setUp(() => REFUSED);

    push("a");

    await until(() => expect(ended).toEqual(["a over"]));
    expect(ids()).toEqual(["a"]);
  });

  it("drops the oldest message when too many wait, and logs it", async () => {
    const gate = Promise.withResolvers<Delivery>();
    const { push, ids, ended, lines } = setUp((tries) => (tries === 1 ? gate.promise : SENT), { max: 2 });

    for (const id of ["a", "b", "c", "d"]) push(id);
    gate.resolve(SENT);

    await until(() => expect(ended).toEqual(["b left", "a over", "c over", "d over"]));
    expect(ids()).toEqual(["a", "c", "d"]);
    expect(lines).toMatchObject([{ alert: "notifier_failed", problem: "too-many" }]);
  });

  it("logs that some of the recipients were refused", async () => {
    const { push, ended, lines } = setUp(() => ({ outcome: "sent", refused: 1 }));

    push("a");

    await until(() => expect(lines).toMatchObject([{ problem: "recipients-refused", refused: 1 }]));
    expect(ended).toEqual(["a over"]);
  });

  it("outlasts a receiver that refuses messages for five minutes", async () => {
    vi.useFakeTimers();
    onTestFinished(() => void vi.useRealTimers());
    const startMs = Date.now();
    const answer = () => (Date.now() - startMs < 300_000 ? UNREACHABLE : SENT);
    const { push, ended, lines } = setUp(answer, { retryDelaysMs: undefined });

    push("a");
    await vi.advanceTimersByTimeAsync(320_000);

    expect([ended, lines]).toEqual([["a over"], []]);
  });

  it("leaves a message that still fails for the next start when it is closed", async () => {
    const { outbox, push, ended, tried } = setUp(() => UNREACHABLE, {
      retryDelaysMs: [600_000, 600_000],
    });
    push("a");
    await until(() => expect(tried).toHaveLength(1));

    await outbox.close(5_000);

    expect(tried).toHaveLength(2);
    expect(ended).toEqual(["a left"]);
  });

  it("tries at once instead of pausing when it is closed, and closes the channel", async () => {
    const { outbox, push, ended, tried, isClosed } = setUp((tries) => (tries < 2 ? UNREACHABLE : SENT), {
      retryDelaysMs: [600_000, 600_000],
    });
    push("a");
    await until(() => expect(tried).toHaveLength(1));

    await outbox.close(5_000);

    expect(ended).toEqual(["a over"]);
    expect(isClosed()).toBe(true);
  });

  it("drops messages that weren't sent in time, and those behind them", async () => {
    const { outbox, push, ended, lines, tried, isClosed } = setUp(async (_, signal) => {
      await once(signal, "abort");
      return UNREACHABLE;
    });
    push("a");
    push("b");

    await outbox.close(10);

    expect(isClosed()).toBe(true);
    expect(tried).toHaveLength(1);
    expect(ended).toEqual(["b left", "a left"]);
    expect(lines.map(({ problem }) => problem)).toEqual(["stopping", "ECONNREFUSED"]);
  });

  it("closes even if a try doesn't stop", async () => {
    const { outbox, isClosed } = setUp(async () => new Promise<Delivery>(() => {}));
    outbox.push(toMessage("a"));

    await outbox.close(10);

    expect(isClosed()).toBe(true);
  });
});
