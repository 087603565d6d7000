export { createTelemetry } from "./telemetry.ts";
export type { TelemetryOptions } from "./telemetry.ts";
