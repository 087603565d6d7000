export { SANDBOX_DOMAIN, SANDBOX_SCENARIOS } from "./local/sandbox.ts";
export type { SandboxOutcome, SandboxScenario } from "./local/sandbox.ts";
export { createSandboxService, SANDBOX_API_KEY, SANDBOX_ORGANIZATION } from "./local/service.ts";
export type {
  RecordedCall,
  SandboxKey,
  SandboxOrganization,
  SandboxService,
  SandboxServiceOptions,
} from "./local/service.ts";
