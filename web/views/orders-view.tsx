import { OrderScreen } from "./orders/order-screen.tsx";

/** All orders, newest first. */
export function OrdersView() {
  return <OrderScreen kind="orders" title="Orders" />;
}
