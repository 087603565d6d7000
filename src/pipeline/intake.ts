import type { NewDelivery } from "../store/store.ts";

/** Durable receipt of deliveries. */
export interface Intake {
  /**
   * Keep a delivery. Resolves only once it is durable on disk; deliveries that arrive together share one commit.
   *
   * @throws {HoldfastError} `STORE_UNAVAILABLE` when it could not be made durable, `SHUTTING_DOWN` while stopping.
   */
  accept(delivery: NewDelivery): Promise<"accepted" | "duplicate">;
}
