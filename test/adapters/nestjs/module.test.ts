import type { VerificationOrder } from "../../../src/index.ts";
import "reflect-metadata";
import { Controller, Inject, Module, Post, UseGuards } from "@nestjs/common";
import { NestFactory } from "@nestjs/core";
import { ExpressAdapter } from "@nestjs/platform-express";
import { describe, expect, it } from "vitest";
import { CheckedOrder, HoldfastModule, SCREENER, verifyOrder } from "../../../adapters/nestjs/index.ts";
import { createScreener, type OrderCheck, type Screener } from "../../../src/index.ts";
import { anOrder } from "../../support/orders.ts";
import { post } from "../guard-host.ts";

describe("HoldfastModule", () => {
  it("gives its screener to guards and services, and closes it with the app", async () => {
    const inner = createScreener({ service: "local" });
    let closed = 0;
    const screener: Screener = {
      check: inner.check.bind(inner),
      confirm: inner.confirm.bind(inner),
      ready: inner.ready.bind(inner),
      on: inner.on.bind(inner),
      close: async () => {
        closed += 1;
        await inner.close();
      },
    };
    const injected: unknown[] = [];
    class OrdersController {
      constructor(given: Screener) {
        injected.push(given);
      }
      place(check: OrderCheck): object {
        return { status: check.status };
      }
    }
    const place = Object.getOwnPropertyDescriptor(OrdersController.prototype, "place") as PropertyDescriptor;
    Controller("orders")(OrdersController);
    Inject(SCREENER)(OrdersController, undefined, 0);
    CheckedOrder()(OrdersController.prototype, "place", 0);
    Post()(OrdersController.prototype, "place", place);
    UseGuards(verifyOrder({ order: (request) => request.body as VerificationOrder }))(
      OrdersController.prototype,
      "place",
      place,
    );
    // oxlint-disable-next-line typescript/no-extraneous-class -- Nest takes a module as a class
    class AppModule {}
    Module({ imports: [HoldfastModule.forRoot(screener)], controllers: [OrdersController] })(AppModule);
    const app = await NestFactory.create(AppModule, new ExpressAdapter(), { logger: false });
    await app.listen(0, "127.0.0.1");

    const response = await post(`${await app.getUrl()}/orders`, anOrder());

    expect(await response.json()).toEqual({ status: "degraded" });
    expect(injected).toEqual([screener]);
    expect(closed).toBe(0);
    await app.close();
    expect(closed).toBe(1);
  });

  it("reports at startup that a guard has no screener", async () => {
    class OrdersController {
      place(): void {}
    }
    const place = Object.getOwnPropertyDescriptor(OrdersController.prototype, "place") as PropertyDescriptor;
    Controller("orders")(OrdersController);
    Post()(OrdersController.prototype, "place", place);
    UseGuards(verifyOrder({ order: (request) => request.body as VerificationOrder }))(
      OrdersController.prototype,
      "place",
      place,
    );
    // oxlint-disable-next-line typescript/no-extraneous-class -- Nest takes a module as a class
    class AppModule {}
    Module({ controllers: [OrdersController] })(AppModule);

    const starting = NestFactory.create(AppModule, new ExpressAdapter(), {
      logger: false,
      abortOnError: false,
    });

    await expect(starting).rejects.toThrow("holdfast:screener");
  });
});
