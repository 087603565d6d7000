import { parseVerificationRequest } from "../src/adapter-kit.ts";
import { DEFAULT_POLICY } from "../src/index.ts";
import { fingerprintOrder } from "../src/order/fingerprint.ts";
import { chooseAction } from "../src/policy/choose-action.ts";
import { toOrderFacts } from "../src/policy/order-facts.ts";
import { createKeyring } from "../src/store/sealing/keyring.ts";
import { ROUNDS, type Benchmark } from "./benchmark.ts";
import { median } from "./figure.ts";
import { FIXTURE_TENANT, mapFixture, readFixtureOrders } from "./fixture-orders.ts";
import { SAMPLE_RESULT } from "./sample-order.ts";

const PASSES = { quick: 300, full: 2_000 };

/** Everything that is computed for an order, without any waiting: map, check, fingerprint, decide. */
export const decide: Benchmark = {
  name: "decide",
  about: "CPU of mapping, checking, fingerprinting and deciding a Shopify order",
  async run({ quick, progress }) {
    const bodies = readFixtureOrders().map(({ body }) => body);
    const keyring = createKeyring(Buffer.alloc(32, 1));
    const digest = (text: string): string => keyring.digest(FIXTURE_TENANT, "fingerprint", text);

    function decideBody(body: Buffer): string {
      const request = parseVerificationRequest(mapFixture(body));
      const fingerprint = fingerprintOrder(request, digest);
      const { action } = chooseAction({
        policy: DEFAULT_POLICY,
        policyVersion: 0,
        facts: toOrderFacts(request),
        result: SAMPLE_RESULT,
        source: "service",
        degraded: false,
      });
      return action + fingerprint;
    }

    const passes = quick ? PASSES.quick : PASSES.full;
    function measure(): number {
      const before = process.cpuUsage();
      let length = 0;
      for (let pass = 0; pass < passes; pass += 1) {
        for (const body of bodies) length += decideBody(body).length;
      }
      const { user, system } = process.cpuUsage(before);
      // Used so that nothing can be optimized away.
      if (length === 0) throw new Error("nothing was decided");
      return (user + system) / 1_000 / (passes * bodies.length);
    }

    progress(0, "warming up");
    measure();
    const rounds = Array.from({ length: ROUNDS }, (_, round) => {
      progress((round + 1) / (ROUNDS + 1), `round ${round + 1} of ${ROUNDS}`);
      return measure();
    });
    return [
      {
        name: "decide",
        unit: "ms",
        ours: median(rounds),
        baseline: null,
        against: "",
        ratio: null,
        goal: { of: "ours", atMost: 0.2 },
        rounds: { ours: rounds, baseline: [] },
        notes: [`CPU an order, over ${bodies.length} real orders of 7 to 30 KB`],
        faults: [],
      },
    ];
  },
};
