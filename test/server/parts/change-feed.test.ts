import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { createChangeFeed } from "../../../src/server/parts/change-feed.ts";

let change: (tenant: string | null) => void;
const feed = () => createChangeFeed({ onChange: (listener) => ((change = listener), () => {}) });

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

it("tells the first change at once, and those that follow together", () => {
  let told = 0;
  feed().listen("a", () => (told += 1));

  for (let index = 0; index < 50; index += 1) change("a");
  expect(told).toBe(1);
  vi.advanceTimersByTime(249);
  expect(told).toBe(1);
  vi.advanceTimersByTime(1);
  expect(told).toBe(2);
  vi.advanceTimersByTime(10_000);
  expect(told).toBe(2);
});

it("tells each tenant of its own changes, and everybody when some may have got lost", () => {
  const told: string[] = [];
  const { listen, count } = feed();
  listen("a", () => told.push("a"));
  const stop = listen("b", () => told.push("b"));

  change("a");
  change("c");
  expect(told).toEqual(["a"]);

  vi.advanceTimersByTime(1_000);
  change(null);
  expect(told).toEqual(["a", "a", "b"]);

  stop();
  vi.advanceTimersByTime(1_000);
  change("b");
  expect(told).toHaveLength(3);
  expect([count(), count("a"), count("b")]).toEqual([1, 1, 0]);
});
