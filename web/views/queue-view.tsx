import { OrderScreen } from "./orders/order-screen.tsx";

/** The orders that wait for a person, most urgent first. */
export function QueueView() {
  return <OrderScreen kind="queue" title="Review queue" />;
}
