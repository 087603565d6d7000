import { beforeEach, describe, expect, it } from "vitest";
import { createAddressWatch } from "../../src/screening/address-watch.ts";
import { createLogRecorder, type RecordedLine } from "../support/log-recorder.ts";
import { anOrder } from "../support/orders.ts";

const MINUTE_MS = 60_000;
const PROXY = "91.10.20.30";

let nowMs: number;
let lines: readonly RecordedLine[];
let watch: ReturnType<typeof createAddressWatch>;

beforeEach(() => {
  nowMs = 1_000_000_000;
  const recorder = createLogRecorder();
  ({ lines } = recorder);
  watch = createAddressWatch(recorder.logger, () => nowMs);
});

/** Orders of different customers, one every few minutes. */
function order(
  count: number,
  toIp: (index: number) => string | undefined,
  tenant = "test:shop",
  everyMs = 4 * MINUTE_MS,
) {
  for (let index = 0; index < count; index += 1) {
    const ipAddress = toIp(index);
    const from = ipAddress === undefined ? {} : { ipAddress };
    watch(tenant, anOrder({ customerEmail: `customer${index}@example.com`, ...from }));
    nowMs += everyMs;
  }
}

const warned = () => lines.map(({ alert, tenant }) => ({ alert, tenant }));
const WARNING = { alert: "one_ip_address", tenant: "test:shop" };

describe("createAddressWatch", () => {
  it.each([
    ["a proxy's address", () => PROXY],
    ["the servers of a CDN", (index: number) => `104.${16 + (index % 4)}.${index}.1`],
    ["a proxy's address, if some orders have none", (index: number) => (index % 2 === 0 ? PROXY : undefined)],
  ])("warns once that all customers have %s", (_name, toIp) => {
    order(60, toIp);

    expect(warned()).toEqual([WARNING]);
  });

  it.each([
    ["a single customer comes from elsewhere", (index: number) => (index % 15 === 0 ? "91.10.20.31" : PROXY)],
    ["the address is private, and so left out", () => "10.0.0.1"],
  ])("says nothing if %s", (_name, toIp) => {
    order(60, toIp);

    expect(warned()).toEqual([]);
  });

  it("says nothing about bots that come within minutes", () => {
    order(60, () => PROXY, "test:shop", 1_000);

    expect(warned()).toEqual([]);
  });

  it("says nothing about one customer's orders", () => {
    for (let index = 0; index < 60; index += 1) {
      watch("test:shop", anOrder({ customerEmail: "a@example.com", ipAddress: PROXY }));
      nowMs += 4 * MINUTE_MS;
    }

    expect(warned()).toEqual([]);
  });

  it("looks at each shop by itself", () => {
    for (let index = 0; index < 40; index += 1) {
      watch("test:shop", anOrder({ customerEmail: `c${index}@example.com`, ipAddress: PROXY }));
      watch(
        "test:other",
        anOrder({ customerEmail: `c${index}@example.com`, ipAddress: `91.10.21.${index}` }),
      );
      nowMs += 4 * MINUTE_MS;
    }

    expect(warned()).toEqual([WARNING]);
  });
});
