import { randomBytes } from "node:crypto";
import { expect, it } from "vitest";
import { createKeyring, type Keyring } from "../../../src/store/sealing/keyring.ts";
import type { Store } from "../../../src/store/store.ts";
import { entry, order, T0, TENANT } from "../samples.ts";

/** Opens the same database each time, empty at first. The suite closes it. */
type OpenAgain = (key: { dataKey: Buffer } | { keyring: Keyring }) => Promise<Store>;

/**
 * What every engine's store promises when a database is opened again.
 *
 * @param make Makes an empty database.
 * @param named What errors call it.
 */
export function describeReopening(make: () => Promise<OpenAgain>, named: () => string): void {
  const dataKey = randomBytes(32);
  const key = { dataKey };
  const save = (store: Store) => store.tenants.saveCredential(TENANT, "shopify", "secret", "installed", T0);

  it("creates its tables in an empty database, and keeps what it wrote", async () => {
    const open = await make();
    const first = await open(key);
    await first.orders.receive(order("1", { customerId: "c1" }), entry("received"));
    await save(first);
    const before = await first.orders.get({ tenant: TENANT, orderId: "1" });
    await first.close();

    const second = await open(key);

    expect(await second.orders.get({ tenant: TENANT, orderId: "1" })).toEqual(before);
    expect(await second.tenants.loadCredential(TENANT)).toBe("secret");
  });

  it("accepts a keyring in place of the key", async () => {
    const open = await make();
    await save(await open({ keyring: createKeyring(dataKey) }));

    expect(await (await open(key)).tenants.loadCredential(TENANT)).toBe("secret");
  });

  it("refuses another key immediately, naming DATA_KEY, and changes nothing", async () => {
    const open = await make();
    await save(await open(key));

    const refusal = open({ dataKey: randomBytes(32) });

    await expect(refusal).rejects.toMatchObject({
      code: "CONFIG_INVALID",
      retryable: false,
      message: `\`dataKey\` (DATA_KEY): expected the key of ${named()}`,
    });
    expect(await (await open(key)).tenants.loadCredential(TENANT)).toBe("secret");
  });
}
