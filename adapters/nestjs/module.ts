import { Module, type DynamicModule, type OnModuleDestroy } from "@nestjs/common";
import type { Screener } from "../../src/index.ts";

/** Where the app's screener is injected: `@Inject(SCREENER) screener: Screener`. */
export const SCREENER: unique symbol = Symbol("holdfast:screener");
/** The provider that closes the screener: Nest calls its methods when the app shuts down. */
const CLOSER: unique symbol = Symbol("holdfast:closer");

/** Gives the app one screener: to its guards, and by {@link SCREENER} to its services. */
// oxlint-disable-next-line typescript/no-extraneous-class -- Nest takes a module as a class
export class HoldfastModule {
  /**
   * The module for the app's `imports`, with a screener from `createScreener`. The screener is closed with the app; on
   * a signal, only if you called `app.enableShutdownHooks()`.
   */
  static forRoot(screener: Screener): DynamicModule {
    const closer: OnModuleDestroy = { onModuleDestroy: async () => await screener.close() };
    return {
      module: HoldfastModule,
      global: true,
      providers: [
        { provide: SCREENER, useValue: screener },
        { provide: CLOSER, useFactory: () => closer },
      ],
      exports: [SCREENER],
    };
  }
}
Module({})(HoldfastModule);
