import type { VerificationOrder } from "../../../src/index.ts";
import { onTestFinished } from "vitest";
import { verifyOrder, type VerifyOrderOptions } from "../../../adapters/fastify/index.ts";
import { whenReplied, type Answer, type GuardHost, type GuardOptions } from "../guard-host.ts";
import { closeAll, start } from "./fastify-app.ts";

/** Fastify 5 as a host of the guard. */
export const FASTIFY_HOST: GuardHost = {
  name: "Fastify 5",
  addsCharset: true,
  mount: (options) => verifyOrder(toFastifyOptions(options)),
  async start(options, probes, timeout) {
    onTestFinished(closeAll);
    const { fulfil } = options;
    return await start(toFastifyOptions(options), { probes, fulfil, timeout });
  },
};

function toFastifyOptions(options: GuardOptions): VerifyOrderOptions {
  const { screener, deadlineMs, order = (body: unknown) => body, ip, onHold, onCancel, onInvalid } = options;
  return {
    screener,
    deadlineMs,
    order: (request) => order(request.body) as VerificationOrder,
    ip: ip === undefined ? undefined : (request) => ip(request.ip),
    onHold: onHold === undefined ? undefined : toHandler(onHold),
    onCancel: onCancel === undefined ? undefined : toHandler(onCancel),
    onInvalid:
      onInvalid === undefined
        ? undefined
        : (_request, reply, error) =>
            whenReplied(onInvalid(error.fields.length), (answer) => {
              if (answer !== "go on") reply.code(answer.status).send(answer.body);
            }),
  };
}

function toHandler(answer: Answer): VerifyOrderOptions["onHold"] {
  return (request, reply, check, next) =>
    whenReplied(answer({ check, kept: request.orderCheck }), (answered) => {
      if (answered === "go on") next();
      else reply.code(answered.status).send(answered.body);
    });
}
