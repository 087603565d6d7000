import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createBodyMemory, type BodyMemory, type BodyShare } from "../../../src/server/http/request-body.ts";

const KB = 1024;
/** What each piece costs in addition to its bytes. */
const OVERHEAD = 512;

function createMemory() {
  const clock = { nowMs: 1_000_000 };
  const memory = createBodyMemory({
    ordinaryBytes: 16 * KB,
    ordinaryTotalBytes: 64 * KB,
    largeTotalBytes: 32 * KB,
    patienceMs: 1_000,
    now: () => clock.nowMs,
  });
  return { memory, clock };
}

/** A body that stops when told to, as `readBody` does. */
function open(memory: BodyMemory, announcedBytes = 0) {
  const body = { evicted: false };
  const share: BodyShare = memory.open(announcedBytes, () => {
    body.evicted = true;
    share.release();
  });
  return Object.assign(body, share);
}

/** Adds `bytes` in pieces of 1 KB, overhead included. */
function fill(share: BodyShare, bytes: number): boolean {
  for (let taken = 0; taken < bytes; taken += KB) if (!share.take(KB - OVERHEAD)) return false;
  return true;
}

describe("createBodyMemory", () => {
  it("keeps large bodies from using the space of ordinary ones, announced or not", () => {
    const { memory } = createMemory();

    expect(fill(open(memory, 20 * KB), 20 * KB)).toBe(true);
    const unannounced = open(memory);
    expect(fill(unannounced, 20 * KB)).toBe(false);
    unannounced.release();

    const bodies = Array.from({ length: 4 }, () => open(memory));
    expect(bodies.map((body) => fill(body, 16 * KB))).toEqual([true, true, true, true]);
    expect(fill(open(memory), KB)).toBe(false);
  });

  it("counts a piece's full cost, however short it is", () => {
    const { memory } = createMemory();
    const body = open(memory, 20 * KB);

    let pieces = 0;
    while (body.take(1)) pieces += 1;

    expect(pieces).toBe(Math.floor((32 * KB) / (1 + OVERHEAD)));
  });

  it("counts a complete body by its length", () => {
    const { memory } = createMemory();
    const body = open(memory, 20 * KB);
    fill(body, 32 * KB);

    body.complete(16 * KB);

    expect(fill(open(memory, 20 * KB), 16 * KB)).toBe(true);
    expect(fill(open(memory, 20 * KB), KB)).toBe(false);
  });

  it("stops the slowest bodies once they have had their time, and only as many as needed", () => {
    const { memory, clock } = createMemory();
    const slow = Array.from({ length: 4 }, () => {
      clock.nowMs += 10;
      const body = open(memory);
      fill(body, 16 * KB);
      return body;
    });
    const late = open(memory);

    expect(late.take(KB)).toBe(false);
    clock.nowMs += 970;
    expect(late.take(KB)).toBe(true);

    expect(slow.map(({ evicted }) => evicted)).toEqual([true, false, false, false]);
  });

  it("doesn't stop slow bodies while there is space", () => {
    const { memory, clock } = createMemory();
    const slow = open(memory);
    slow.take(KB);

    clock.nowMs += 60_000;
    for (let index = 0; index < 3; index += 1) fill(open(memory), 16 * KB);

    expect(slow.evicted).toBe(false);
    expect(slow.take(KB)).toBe(true);
  });

  it("never stops a complete body, or the one that asks", () => {
    const { memory, clock } = createMemory();
    const complete = open(memory, 20 * KB);
    fill(complete, 16 * KB);
    complete.complete(16 * KB);
    const asking = open(memory, 20 * KB);
    fill(asking, 16 * KB);

    clock.nowMs += 60_000;

    expect(asking.take(KB)).toBe(false);
    expect([complete.evicted, asking.evicted]).toEqual([false, false]);
  });

  it("doesn't stop a body that holds nothing", () => {
    const { memory, clock } = createMemory();
    const idle = open(memory, 20 * KB);
    const slow = open(memory, 20 * KB);
    fill(slow, 32 * KB);

    clock.nowMs += 60_000;

    expect(open(memory, 20 * KB).take(KB)).toBe(true);
    expect([idle.evicted, slow.evicted]).toEqual([false, true]);
  });

  it("has all its space again after every body was released, whatever happened before", () => {
    type Step = { readonly body: number; readonly what: string; readonly bytes: number };
    const step: fc.Arbitrary<Step> = fc.record({
      body: fc.nat(5),
      what: fc.constantFrom("take", "take", "take", "complete", "release", "wait"),
      bytes: fc.nat(8 * KB),
    });
    const run = (announced: readonly number[], steps: readonly Step[]) => {
      const { memory, clock } = createMemory();
      const bodies = announced.map((bytes) => ({ share: open(memory, bytes), isOver: false }));
      for (const { body, what, bytes } of steps) {
        const chosen = bodies[body];
        if (what === "wait") clock.nowMs += bytes;
        if (chosen === undefined || chosen.isOver || chosen.share.evicted) continue;
        if (what === "take") chosen.share.take(bytes);
        if (what === "complete") chosen.share.complete(bytes);
        if (what === "release") chosen.share.release();
        chosen.isOver = what === "complete" || what === "release";
      }
      for (const { share } of bodies) share.release();

      expect(fill(open(memory, 20 * KB), 32 * KB)).toBe(true);
      const ordinary = Array.from({ length: 4 }, () => open(memory));
      expect(ordinary.every((body) => fill(body, 16 * KB))).toBe(true);
      expect(open(memory).take(1)).toBe(false);
    };

    fc.assert(fc.property(fc.array(fc.nat(40 * KB), { minLength: 6, maxLength: 6 }), fc.array(step), run));
  });
});
