import { checkOptions } from "../base/options.ts";
import type { AdapterCheck, CreateAdapterUnderTest } from "./adapter-under-test.ts";
import { AUTHENTICATION_CHECKS } from "./authentication-cases.ts";
import type { ContractCase } from "./contract-case.ts";
import { ENFORCEMENT_CHECKS } from "./enforcement-cases.ts";
import { FAILURE_CHECKS } from "./failure-cases.ts";
import { MAPPING_CHECKS } from "./mapping-cases.ts";
import { READING_CHECKS } from "./reading-cases.ts";

/**
 * What the pipeline relies on in a platform adapter, as cases for any test runner. Every case makes an adapter of its
 * own and ends it, so cases can run in any order, and at the same time as far as the platform under test can.
 */
export function platformAdapterContract(
  createAdapterUnderTest: CreateAdapterUnderTest,
): readonly ContractCase[] {
  const rule = { is: "function", isRequired: true } as const;
  checkOptions("platformAdapterContract", { createAdapterUnderTest }, { createAdapterUnderTest: rule });
  return Object.entries({
    ...AUTHENTICATION_CHECKS,
    ...MAPPING_CHECKS,
    ...ENFORCEMENT_CHECKS,
    ...READING_CHECKS,
    ...FAILURE_CHECKS,
  }).map(([name, check]) => ({ name, credits: 0, run: () => runOnce(createAdapterUnderTest, check) }));
}

async function runOnce(createAdapterUnderTest: CreateAdapterUnderTest, check: AdapterCheck): Promise<void> {
  const adapter = await createAdapterUnderTest();
  try {
    await check(adapter);
  } finally {
    await adapter.platform.close();
    await adapter.close();
  }
}
