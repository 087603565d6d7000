import type { AnswerOf, BodyOf, ParamsOf, QueryNameOf } from "../../../src/server/http/api-route.ts";
import type { Api } from "../../../src/server/api/api.ts";
import type { Action } from "../../../src/order/decision.ts";
import type { RiskLevel } from "../../../src/order/risk-level.ts";

// Types only: the server's own definitions of its routes. They add nothing to the page's script.

export type { Action, RiskLevel };

/** A route of the API: `GET /orders/:orderId`. */
export type RouteName = keyof Api;
export type GetRoute = Extract<RouteName, `GET ${string}`>;
export type PagedRoute = {
  [R in GetRoute]: DataOf<R> extends { readonly nextCursor: string | null } ? R : never;
}[GetRoute];

type Frozen<T> = T extends readonly (infer Entry)[]
  ? readonly Frozen<Entry>[]
  : T extends object & { readonly arrayBuffer?: never }
    ? { readonly [Key in keyof T]: Frozen<T[Key]> }
    : T;

/** A route's response. */
export type DataOf<R extends RouteName> = R extends RouteName ? Frozen<AnswerOf<Api[R]>> : never;
/** A route's request body. */
export type BodyFor<R extends RouteName> = R extends RouteName ? Frozen<BodyOf<Api[R]>> : never;
/** Query parameters; empty and absent ones are left out. */
export type QueryFor<R extends RouteName> = Readonly<
  Partial<Record<QueryNameOf<Api[R]>, string | number | null | undefined>>
>;

type Given<Name extends string, Value> =
  Partial<Value> extends Value ? { readonly [N in Name]?: Value } : { readonly [N in Name]: Value };
export type ParamsFor<R extends RouteName> = Given<"params", ParamsOf<R>>;
/** The options of a call: required if the route requires them. */
export type RequestOf<R extends RouteName> = ParamsFor<R> &
  (undefined extends BodyFor<R> ? { readonly body?: BodyFor<R> } : { readonly body: BodyFor<R> }) & {
    readonly query?: QueryFor<R>;
  };

export type OrderPage = DataOf<"GET /orders">;
export type OrderRow = OrderPage["orders"][number];
export type OrderDetail = DataOf<"GET /orders/:orderId">;
export type OrderState = OrderRow["state"];
/** Who checked an order. */
export type Source = NonNullable<OrderRow["source"]>;
/** A saved decision that hasn't taken effect yet. */
export type PendingReview = NonNullable<OrderRow["pendingReview"]>;
export type Decided = PendingReview["act"];
export type Act = keyof OrderDetail["actions"];
export type DeclineReason = NonNullable<OrderDetail["declineReason"]>;
export type Factor = OrderDetail["factors"][number];
export type TimelineEntry = OrderDetail["timeline"][number];
/** The order's current state on the platform. */
export type PlatformOrder = DataOf<"GET /orders/:orderId/platform">;
export type Session = DataOf<"GET /session">;
export type Role = Session["role"];
/** Number and value of orders. */
export type Worth = DataOf<"GET /report">["held"];
