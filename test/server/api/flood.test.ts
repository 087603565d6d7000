import { connect, type Socket } from "node:net";
import { describe, expect, it } from "vitest";
import type { Store } from "../../../src/store/store.ts";
import { createTestStore } from "../../support/test-store.ts";
import { until } from "../../support/until.ts";
import { AS_SHOP_A, startConsole } from "../console-app.ts";

const CALLS = 60;

/** A console whose lists of orders call `onList`. */
async function startListing(onList: () => void) {
  const memory = await createTestStore();
  const store: Store = {
    ...memory,
    orders: {
      ...memory.orders,
      list: async (...asked) => {
        onList();
        return memory.orders.list(...asked);
      },
    },
  };
  return startConsole({ store });
}

function listOrders(port: number): Socket {
  const socket = connect(port, "127.0.0.1").on("error", () => undefined);
  const { authorization } = AS_SHOP_A;
  socket.write(
    `GET /api/orders HTTP/1.1\r\nHost: a\r\nAuthorization: ${authorization}\r\nContent-Length: 0\r\n\r\n`,
  );
  return socket;
}

describe("a flood of calls", () => {
  it("leaves turns for other requests between any two calls", async () => {
    let turns = 0;
    let isOver = false;
    const count = (): void => {
      turns += 1;
      if (!isOver) setImmediate(count);
    };
    setImmediate(count);
    const at: number[] = [];
    const app = await startListing(() => at.push(turns));

    await Promise.all(Array.from({ length: CALLS }, () => app.get("/api/orders", AS_SHOP_A)));
    isOver = true;

    expect(at).toHaveLength(CALLS);
    const between = at.slice(1).map((turn, index) => turn - (at[index] ?? 0));
    expect(Math.min(...between)).toBeGreaterThan(1);
  });

  it("costs nothing once its callers have disconnected", async () => {
    const sockets: Socket[] = [];
    let lists = 0;
    const app = await startListing(() => {
      lists += 1;
      for (const socket of sockets) socket.destroy();
    });
    sockets.push(...Array.from({ length: CALLS }, () => listOrders(app.port)));
    await until(() => lists > 0 && sockets.every(({ closed }) => closed));
    // Every call that was still waiting has been dropped or answered by now.
    await app.get("/api/session", AS_SHOP_A);

    expect(lists).toBeLessThan(CALLS / 2);
  });
});
