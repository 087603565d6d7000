import { expect, it } from "vitest";
import { createRetrier } from "../../src/service/retrying.ts";
import { VERIFICATION } from "../../src/service/status.ts";

const START_MS = 1_800_000_000_000;
const DAY_MS = 86_400_000;

it("doesn't wait for a rate limit that only a clock that ran ahead can have caused", async () => {
  let nowMs = START_MS + DAY_MS;
  const retrier = createRetrier(VERIFICATION, {
    now: () => nowMs,
    wait: async (ms) => void (nowMs += ms),
  });
  const headers = {
    "x-ratelimit-remaining": "0",
    "x-ratelimit-reset": String(START_MS + DAY_MS + 30_000),
  };
  const call = () => retrier.run(async () => ({ headers }), {});
  await call();

  nowMs = START_MS;
  await call();

  expect(nowMs).toBe(START_MS);
});
