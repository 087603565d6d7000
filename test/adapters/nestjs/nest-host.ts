import type { VerificationOrder } from "../../../src/index.ts";
import "reflect-metadata";
import type { IncomingMessage, ServerResponse } from "node:http";
import {
  Catch,
  Controller,
  HttpException,
  Module,
  Post,
  Res,
  UseGuards,
  type ArgumentsHost,
  type ExecutionContext,
  type ExceptionFilter,
  type INestApplication,
  type Type,
} from "@nestjs/common";
import { BaseExceptionFilter, HttpAdapterHost, NestFactory, type AbstractHttpAdapter } from "@nestjs/core";
import { ExpressAdapter } from "@nestjs/platform-express";
import { FastifyAdapter } from "@nestjs/platform-fastify";
import { onTestFinished } from "vitest";
import { CheckedOrder, verifyOrder, type VerifyOrderOptions } from "../../../adapters/nestjs/index.ts";
import type { OrderCheck } from "../../../src/index.ts";
import {
  whenReplied,
  type Answer,
  type GuardHost,
  type GuardOptions,
  type ResponseProbes,
  type RunningApp,
  type Timeout,
} from "../guard-host.ts";

interface HostRequest {
  readonly body?: unknown;
  readonly socket: { readonly remoteAddress?: string | undefined };
  orderCheck?: OrderCheck | undefined;
}

/** The guard in an app of NestJS on Express. */
export const NEST_ON_EXPRESS = createNestHost("NestJS on Express", () => new ExpressAdapter());
/** The guard in an app of NestJS on Fastify. */
export const NEST_ON_FASTIFY = createNestHost("NestJS on Fastify", () => new FastifyAdapter());

function createNestHost(name: string, createAdapter: () => AbstractHttpAdapter): GuardHost {
  return {
    name,
    addsCharset: true,
    mount: (options) => verifyOrder(toNestOptions(options)),
    start: async (options, probes, timeout) => await start(createAdapter(), options, probes, timeout),
  };
}

function toNestOptions(options: GuardOptions): VerifyOrderOptions<HostRequest> {
  const { screener, deadlineMs, order = (body: unknown) => body, ip, onHold, onCancel, onInvalid } = options;
  return {
    screener,
    deadlineMs,
    order: (request) => order(request.body) as VerificationOrder,
    ip: ip === undefined ? undefined : (request) => ip(request.socket.remoteAddress),
    onHold: onHold === undefined ? undefined : toHandler(onHold),
    onCancel: onCancel === undefined ? undefined : toHandler(onCancel),
    onInvalid:
      onInvalid === undefined
        ? undefined
        : (_context, error) => whenReplied(onInvalid(error.fields.length), goOn),
  };
}

function toHandler(answer: Answer): VerifyOrderOptions<HostRequest>["onHold"] {
  return (context: ExecutionContext, check) => {
    const kept = context.switchToHttp().getRequest<HostRequest>().orderCheck;
    return whenReplied<boolean>(answer({ check, kept }), goOn);
  };
}

function goOn(reply: Awaited<ReturnType<Answer>>): boolean {
  if (reply === "go on") return true;
  throw new HttpException(reply.body as object, reply.status);
}

/** Decorators, called as functions: this project's TypeScript has none. */
function createAppModule(
  options: GuardOptions,
  fulfilled: (OrderCheck | undefined)[],
  probes?: ResponseProbes,
): Type {
  class OrdersController {
    place(check: OrderCheck | undefined, response: ServerResponse & { raw?: ServerResponse }): object {
      options.fulfil?.();
      probes?.after?.(response.raw ?? response);
      fulfilled.push(check);
      return { action: check?.action };
    }
  }
  const place = Object.getOwnPropertyDescriptor(OrdersController.prototype, "place") as PropertyDescriptor;
  Controller("orders")(OrdersController);
  CheckedOrder()(OrdersController.prototype, "place", 0);
  Res({ passthrough: true })(OrdersController.prototype, "place", 1);
  Post()(OrdersController.prototype, "place", place);
  UseGuards(verifyOrder(toNestOptions(options)))(OrdersController.prototype, "place", place);
  // oxlint-disable-next-line typescript/no-extraneous-class -- Nest takes a module as a class
  class AppModule {}
  Module({ controllers: [OrdersController] })(AppModule);
  return AppModule;
}

/** Handles only unintended answers, like a shop's filter that reports errors. */
function createFilter(app: INestApplication, errors: unknown[]): ExceptionFilter {
  class ReportingFilter extends BaseExceptionFilter {
    override catch(exception: unknown, host: ArgumentsHost): void {
      if (!(exception instanceof HttpException)) errors.push(exception);
      // oxlint-disable-next-line promise/valid-params -- a filter, not a promise
      super.catch(exception, host);
    }
  }
  Catch()(ReportingFilter);
  return new ReportingFilter(app.get(HttpAdapterHost).httpAdapter);
}

async function start(
  adapter: AbstractHttpAdapter,
  options: GuardOptions,
  probes?: ResponseProbes,
  timeout?: Timeout,
): Promise<RunningApp> {
  const fulfilled: (OrderCheck | undefined)[] = [];
  const errors: unknown[] = [];
  const module = createAppModule(options, fulfilled, probes);
  const app = await NestFactory.create(module, adapter, { logger: false });
  app.use((_request: IncomingMessage, response: ServerResponse, next: () => void) => {
    void timeout?.().then(() => response.writeHead(504).end());
    if (probes === undefined) next();
    else probes.before(response, next);
  });
  app.useGlobalFilters(createFilter(app, errors));
  onTestFinished(async () => await app.close());
  await app.listen(0, "127.0.0.1");
  return { fulfilled, errors, url: `${await app.getUrl()}/orders` };
}
