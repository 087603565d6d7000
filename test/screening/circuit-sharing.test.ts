import { expect, it } from "vitest";
import { SILENT_LOGGER } from "../../src/base/logger.ts";
import { createCircuitSharing } from "../../src/screening/circuit-sharing.ts";
import type { CircuitBlock } from "../../src/store/store.ts";

const BLOCK: CircuitBlock = { code: "VERIFICATION_NO_CREDITS", untilMs: 1_000, pause: false };

it("writes a block that is shared just as the last write ends", async () => {
  for (let turns = 0; turns < 10; turns += 1) {
    const written: (CircuitBlock | null)[] = [];
    const ledger = {
      saveBlock: async (_name: string, block: CircuitBlock | null) => void written.push(block),
      findBlocks: async () => [],
    };
    const sharing = createCircuitSharing({ store: { ledger }, logger: SILENT_LOGGER, now: () => 0 });

    sharing.share("key:k", BLOCK);
    for (let turn = 0; turn < turns; turn += 1) await Promise.resolve();
    sharing.share("key:k", null);
    await sharing.settle();
    await sharing.settle();

    expect(written.at(-1), `after ${turns} turns`).toBeNull();
  }
});
