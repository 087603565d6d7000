import { checkOptions, type OptionRules } from "../../src/adapter-kit.ts";

/**
 * What this adapter uses of `@vendure/core`, by shape: Holdfast depends on no version of Vendure and contains none of its
 * code. You pass the module in.
 */
export interface VendureCore {
  VendurePlugin(metadata: object): (plugin: new () => object) => unknown;
  readonly PaymentMethodEligibilityChecker: new (config: never) => object;
  // Classes that identify services and events. They're looked up in the shop and never instantiated here.
  readonly PluginCommonModule: unknown;
  readonly EventBus: unknown;
  readonly Order: unknown;
  readonly OrderPlacedEvent: unknown;
  readonly OrderService: unknown;
  readonly OrderStateTransitionEvent: unknown;
  readonly PaymentService: unknown;
  readonly ProcessContext: unknown;
  readonly RequestContextService: unknown;
  readonly TransactionalConnection: unknown;
}

export type Id = string | number;

/** The context of a call to Vendure: a request, or a task of Holdfast. */
export interface Context {
  readonly apiType?: string | undefined;
  readonly req?:
    | { readonly ip?: string | undefined; readonly headers?: Readonly<Record<string, unknown>> | undefined }
    | undefined;
}

export interface Payment {
  readonly id: Id;
  readonly state: string;
  readonly amount: number;
  /** The provider's own ID, e.g. of Stripe's payment intent. */
  readonly transactionId?: string | null | undefined;
  readonly refunds?: readonly { readonly state: string; readonly total: number }[] | undefined;
}

/** The columns that Holdfast adds to an order. */
export interface CustomFields {
  holdfastRiskLevel?: string | null;
  holdfastAction?: string | null;
  holdfastCheckId?: string | null;
  holdfastHold?: string | null;
  holdfastTags?: readonly string[] | null;
}

export interface Order {
  readonly id: Id;
  readonly code: string;
  /** A `Seller` order is one seller's part of another order, {@link aggregateOrderId}. */
  readonly type?: string | undefined;
  readonly aggregateOrderId?: Id | null | undefined;
  readonly state: string;
  readonly totalWithTax: number;
  readonly orderPlacedAt?: Date | string | null | undefined;
  readonly payments?: readonly Payment[] | undefined;
  readonly customer?: { readonly id: Id; readonly createdAt?: Date | string; readonly user?: unknown } | null;
  customFields?: CustomFields | undefined;
}

/** A service's result, which can be a refusal. */
export type Answer = {
  /** Why the service refused; absent if it didn't. */
  readonly errorCode?: string | undefined;
  readonly __typename?: string | undefined;
  /** Only for a refund: `Failed` if the payment's provider refused it. */
  readonly state?: string | undefined;
};

interface OrderService {
  findOne(ctx: Context, id: Id, relations?: readonly string[]): Promise<Order | undefined>;
  findAll(
    ctx: Context,
    options: object,
    relations?: readonly string[],
  ): Promise<{ readonly items: readonly Order[] }>;
  findByCustomerId(
    ctx: Context,
    customerId: Id,
    options: object,
    relations: readonly string[],
  ): Promise<{ readonly totalItems: number }>;
  getOrderPayments(ctx: Context, id: Id): Promise<readonly Payment[]>;
  settlePayment(ctx: Context, paymentId: Id): Promise<Answer>;
  cancelPayment(ctx: Context, paymentId: Id): Promise<Answer>;
  refundOrder(ctx: Context, input: object): Promise<Answer>;
  cancelOrder(ctx: Context, input: object): Promise<Answer>;
}

interface PaymentService {
  createRefund(ctx: Context, input: object, order: Order, payment: Payment): Promise<Answer>;
}

interface Repository {
  update(criteria: object, changes: object): Promise<unknown>;
  find(options: object): Promise<readonly Order[]>;
}

interface Events {
  ofType(event: unknown): { subscribe(listener: (event: OrderEvent) => void): { unsubscribe(): void } };
}

export interface OrderEvent {
  readonly ctx: Context;
  readonly order: Order;
  readonly fromState: string;
  readonly toState: string;
}

/** Vendure's own dependency injection. */
export interface Injector {
  // The class belongs to the shop, and so do its instances.
  get(token: never): unknown;
}

export interface Services {
  readonly isServer: boolean;
  readonly orders: OrderService;
  readonly payments: PaymentService;
  readonly events: Events;
  repository(ctx: Context): Repository;
  /** A context for work outside a request. */
  readonly newContext: () => Promise<Context>;
}

/** The rule for the argument `core` of a public function. */
export const CORE: OptionRules<{ core: VendureCore }>["core"] = {
  is: ["VendurePlugin"],
  expected: 'the result of import * as core from "@vendure/core"',
  isRequired: true,
};
const INJECTOR = { is: ["get"], expected: "Vendure's Injector", isRequired: true } as const;

export function findServices(core: VendureCore, injector: Injector): Services {
  checkOptions("findServices", { core, injector }, { core: CORE, injector: INJECTOR });
  const get = (token: unknown): unknown => injector.get(token as never);
  const connection = get(core.TransactionalConnection) as {
    getRepository(ctx: Context, entity: unknown): Repository;
  };
  const contexts = get(core.RequestContextService) as {
    create(config: { readonly apiType: "admin" }): Promise<Context>;
  };
  return {
    isServer: (get(core.ProcessContext) as { readonly isServer: boolean }).isServer,
    orders: get(core.OrderService) as OrderService,
    payments: get(core.PaymentService) as PaymentService,
    events: get(core.EventBus) as Events,
    repository: (ctx) => connection.getRepository(ctx, core.Order),
    newContext: () => contexts.create({ apiType: "admin" }),
  };
}
