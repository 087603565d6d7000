import type { ServerResponse } from "node:http";
import type { OrderCheck } from "../../src/index.ts";
import type { ScriptedScreener } from "../support/screener.ts";

/** A response in no host's own form. */
export interface Reply {
  readonly status: number;
  readonly body: unknown;
}

/** What the host's handler of a check or an invalid order does: it replies, or runs the next handler anyway. */
export type Answer = (given: {
  readonly check: OrderCheck;
  /** The check that the host finds in its request, or receives if a request has none. */
  readonly kept: OrderCheck | undefined;
}) => Reply | "go on" | Promise<Reply | "go on">;

/** Options of `verifyOrder`, in no host's own form. */
export interface GuardOptions {
  readonly screener: Pick<ScriptedScreener, "check">;
  readonly deadlineMs?: number;
  /** Reads the order from the request's body. Default: the body is the order. */
  readonly order?: (body: unknown) => unknown;
  /** Receives the address of the client's socket. */
  readonly ip?: (address: string | undefined) => string | undefined;
  readonly onHold?: Answer;
  readonly onCancel?: Answer;
  /** Receives the number of invalid fields. */
  readonly onInvalid?: (count: number) => Reply | Promise<Reply>;
  /** What the next handler does before it answers 201. */
  readonly fulfil?: () => void;
}

/** What a test does with the response of a Node server. */
export interface ResponseProbes {
  /** Runs before the guard, and calls `next` when it is done. */
  readonly before: (response: ServerResponse, next: () => void) => void;
  /** Runs in the handler after the guard. */
  readonly after?: (response: ServerResponse) => void;
}

/**
 * A layer of the app around the guard, such as a timeout: it answers 504 when the promise resolves. It is called for each
 * request.
 */
export type Timeout = () => Promise<void>;

/** A shop's app on a port of this machine: `POST` places an order and answers 201 with its action. */
export interface RunningApp {
  readonly url: string;
  /** Checks that the handler after the guard received. */
  readonly fulfilled: readonly (OrderCheck | undefined)[];
  /** Errors that the app's error handler received. It answers 500. */
  readonly errors: readonly unknown[];
}

/** A host that the guard runs in. */
export interface GuardHost {
  readonly name: string;
  /** The host adds a charset to every content type of text. */
  readonly addsCharset?: boolean;
  /** Only create the guard. */
  mount(options: GuardOptions): unknown;
  /** Start an app that the running test closes. */
  start(options: GuardOptions, probes?: ResponseProbes, timeout?: Timeout): Promise<RunningApp>;
}

/** Send `body` as JSON. */
export async function post(
  url: string,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
): Promise<Response> {
  return await fetch(url, {
    method: "POST",
    headers: { "content-type": "application/json", ...headers },
    body: JSON.stringify(body),
  });
}

/** Run `send` now if the reply is there, else when it is: what throws at once must not become a rejection. */
export function whenReplied<T>(
  reply: ReturnType<Answer>,
  send: (reply: Reply | "go on") => T,
): T | Promise<Awaited<T>> {
  return reply instanceof Promise ? (reply.then(send) as Promise<Awaited<T>>) : send(reply);
}
