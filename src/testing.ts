export { SANDBOX_DOMAIN, SANDBOX_SCENARIOS, SANDBOX_TABLE } from "./sandbox/sandbox-scenarios.ts";
export type {
  BrokenAnswer,
  SandboxCarrier,
  SandboxOutcome,
  SandboxScenario,
  SandboxTableRow,
} from "./sandbox/sandbox-scenarios.ts";
export { createSandboxService, SANDBOX_API_KEY, SANDBOX_ORGANIZATION } from "./sandbox/sandbox-service.ts";
export type {
  CatalogChoices,
  Delivery,
  ManagementRecord,
  ManagementSeed,
  RecordedCall,
  SandboxEngine,
  SandboxKey,
  SandboxMark,
  SandboxOrganization,
  SandboxResult,
  SandboxService,
  SandboxServiceOptions,
  ServedRequest,
} from "./sandbox/sandbox-service.ts";
export { catalogServiceContract, type CatalogServiceContractOptions } from "./testing/catalog-contract.ts";
export {
  managementServiceContract,
  type ManagementServiceContractOptions,
} from "./testing/management-contract.ts";
export type { ContractCase } from "./testing/contract-case.ts";
export {
  verificationServiceContract,
  type VerificationServiceContractOptions,
} from "./testing/verification-contract.ts";
export type {
  AdapterUnderTest,
  CreateAdapterUnderTest,
  Deprivation,
  PlacedOrder,
} from "./testing/adapter-under-test.ts";
export { platformAdapterContract } from "./testing/platform-contract.ts";
