import type { Request, Response } from "express";
import type { TenantId } from "../pipeline/platform.ts";

/** Who is calling the API. */
export interface ApiSession {
  readonly tenant: TenantId;
  /** As timelines name people: `person:ID`. */
  readonly actor: string;
}

/** Whoever has the console token: it names nobody. */
export const CONSOLE_ACTOR = "person:console";

/** One authenticated call. */
export interface ApiCall {
  readonly session: ApiSession;
  readonly req: Request;
  readonly res: Response;
}

/** Answers one call. A rejection becomes a 503 or, for what is nobody's business, a 500 with an error id. */
export type ApiHandler = (call: ApiCall) => Promise<void>;

/** Methods of the API. `GET` also answers `HEAD`. */
export type ApiMethod = "GET" | "PUT" | "POST" | "DELETE";

/** One address of the API, below `/api`. Methods without a handler are answered with 405. */
export interface ApiRoute {
  /** Express path, e.g. `/orders/:orderId`. */
  readonly path: string;
  readonly handlers: Readonly<Partial<Record<ApiMethod, ApiHandler>>>;
}
