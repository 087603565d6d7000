import type { Request, Response } from "express";
import type { z } from "zod";
import type { TenantId } from "../pipeline/platform.ts";
import type { Role } from "./roles.ts";

/** Who is calling the API. */
export interface ApiSession {
  readonly tenant: TenantId;
  /** As timelines name people: `person:ID`. */
  readonly actor: string;
  /** What the caller may do. */
  readonly role: Role;
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

/** What one method of one address does; also what its description at `/api/openapi.json` is made from. */
export interface ApiOperation {
  /** Stable name, camel case, unique: `listOrders`. */
  readonly id: string;
  /** What it does, in one sentence. */
  readonly summary: string;
  /** What a caller has to be at least; others are answered with 403. */
  readonly role: Role;
  /** Query parameters, as texts. Default: none. */
  readonly query?: z.ZodObject | undefined;
  /** The body it reads. Default: none. */
  readonly body?: z.ZodType | undefined;
  /**
   * What it answers when it works, by status. Null: no JSON. Problems need not be told, but for those that only it has.
   */
  readonly answers: Readonly<Record<number, z.ZodType | null>>;
  /** Statuses of problems beyond those that every call can end with (400, 401, 403, 429, 500, 503). */
  readonly problems?: readonly number[] | undefined;
  readonly handle: ApiHandler;
}

/** One address of the API, below `/api`. Methods without an operation are answered with 405. */
export interface ApiRoute {
  /** Express path, e.g. `/orders/:orderId`. */
  readonly path: string;
  readonly operations: Readonly<Partial<Record<ApiMethod, ApiOperation>>>;
}
