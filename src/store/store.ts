export type { Store } from "./kysely-store.ts";
export type {
  AwaitingCounts,
  BodyTrace,
  ClaimedDelivery,
  DeliveryKey,
  DeliveryStore,
  NewDelivery,
} from "./deliveries/deliveries.ts";
export type { ClaimOptions, ClaimShares } from "./engines/engine.ts";
export type * from "./orders/order-record.ts";
export type * from "./orders/order-states.ts";
export { ORDER_STATES } from "./orders/order-states.ts";
export type { OrderFilter, OrderPage, QueueSort } from "./orders/order-lists.ts";
export { QUEUE_SORTS } from "./orders/order-lists.ts";
export type { Backlog } from "./figures/statistics.ts";
export type { CircuitStore } from "./credits/circuits.ts";
export type { ScreeningStore } from "./credits/ledger.ts";
export type * from "./credits/attempt.ts";
export type { ErasureRequest } from "./retention/mentions.ts";
export type { PolicyVersion } from "./tenants/policies.ts";
export type { Quota, QuotaStore } from "./tenants/quotas.ts";
export type { TenantRecord } from "./tenants/tenants.ts";
export type { IncidentKey, IncidentStore, UnsentIncident } from "./incidents/incidents.ts";
