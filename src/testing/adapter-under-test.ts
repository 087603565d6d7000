import type { Platform, RawDelivery, TenantId } from "../platform/platform.ts";

/** An order that was put on the platform under test. */
export interface PlacedOrder {
  /** The platform's id, as the adapter writes it. */
  readonly orderId: string;
  /** The delivery that reports it, signed. */
  readonly delivery: RawDelivery;
  /** The reference in an `order-ready` event for it; undefined if the platform has no such events. */
  readonly reference?: string | undefined;
  /** When it was created, milliseconds since the epoch. */
  readonly createdAtMs: number;
}

/** The faults that a case can cause. */
export type Deprivation =
  /** The platform does not answer, or cannot be reached. */
  | "connection"
  /** The tenant's access is gone for an unknown reason. */
  | "access"
  /** The tenant uninstalls the app, and the platform no longer accepts any of its access. */
  | "installation";

/** A platform adapter and a platform that the suite may change in any way. Each case gets its own. */
export interface AdapterUnderTest {
  readonly platform: Platform;
  /** The tenant whose orders are placed; the adapter has access to it. */
  readonly tenant: TenantId;
  /** Lower-case name of the signature's header. */
  readonly signatureHeader: string;
  /** An id of the platform's form that no order has. */
  readonly unknownOrderId: string;
  /** A delivery of these bytes as the platform would send it: signed, of the topic that announces a new order. */
  sign(body: Buffer): RawDelivery;
  /** Put an order on the platform that can be checked, tagged, held and cancelled. */
  placeOrder(): Promise<PlacedOrder>;
  /**
   * Take something away. Resolves to a function that gives it back, or to null if this platform can't lose it: a platform in
   * the shop's own process has no access to lose. Every platform can lose its connection.
   */
  deprive(what: Deprivation): Promise<(() => void) | null>;
  /** Let time pass before a step that waits is tried again, in milliseconds. @default real time, at most a second */
  passTime?(ms: number): Promise<void>;
  /** End the platform under test; the adapter is closed before. */
  close(): Promise<void>;
}

/** Makes a fresh {@link AdapterUnderTest}. */
export type CreateAdapterUnderTest = () => AdapterUnderTest | Promise<AdapterUnderTest>;

/** A case's work with its own adapter. */
export type AdapterCheck = (adapter: AdapterUnderTest) => Promise<void> | void;

/** A check with the promise that it verifies. */
export type NamedCheck = readonly [name: string, check: AdapterCheck];
