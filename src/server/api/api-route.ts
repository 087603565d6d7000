import type { Request, Response } from "express";
import type { z } from "zod";
import type { TenantId } from "../../platform/platform.ts";
import type { Role } from "../../store/people/roles.ts";

/** Who is calling the API. */
export interface ApiSession {
  readonly tenant: TenantId;
  /** As timelines name people: `person:ID`. */
  readonly actor: string;
  /** Display name; null if there is none. */
  readonly name: string | null;
  /** What the caller may do. */
  readonly role: Role;
  /** A session of the console's own, or a token with each call. */
  readonly signedInBy: "cookie" | "bearer";
}

export { CONSOLE_ACTOR } from "../../store/people/person.ts";

/** One call, signed in or not. */
export interface OpenCall {
  readonly req: Request;
  readonly res: Response;
}

/** One authenticated call. */
export interface ApiCall extends OpenCall {
  readonly session: ApiSession;
}

/** Answers one call. A rejection becomes a 503 or, for internal errors, a 500 with an error ID. */
export type ApiHandler = (call: ApiCall) => Promise<void>;

/** Methods of the API. `GET` also answers `HEAD`. */
export type ApiMethod = "GET" | "PUT" | "POST" | "DELETE";

/** What one method of one address does; also what its description at `/api/openapi.json` is made from. */
export type ApiOperation = SignedInOperation | OpenOperation;

/** An operation for people who are signed in. */
export interface SignedInOperation extends OperationDescription {
  /** The minimum role; other callers get a 403. */
  readonly role: Role;
  readonly handle: ApiHandler;
}

/** An operation without sign-in. It does its own checks. */
export interface OpenOperation extends OperationDescription {
  readonly role: null;
  readonly handle: (call: OpenCall) => Promise<void>;
}

interface OperationDescription {
  /** Stable name, camel case, unique: `listOrders`. */
  readonly id: string;
  /** What it does, in one sentence. */
  readonly summary: string;
  /** Whether a platform's own pages may read it from their origins. Only for GET, and only with a session token. Default: no. */
  readonly crossOrigin?: boolean | undefined;
  /** Query parameters, as texts. Default: none. */
  readonly query?: z.ZodObject | undefined;
  /** The body it reads. Default: none. */
  readonly body?: z.ZodType | undefined;
  /**
   * Successful responses by status. Null: no JSON. List only the problems specific to this operation.
   */
  readonly answers: Readonly<Record<number, z.ZodType | null>>;
  /** Statuses of problems beyond those that every call can end with (400, 401, 403, 429, 500, 503). */
  readonly problems?: readonly number[] | undefined;
}

/** One address of the API, below `/api`. Methods without an operation are answered with 405. */
export interface ApiRoute {
  /** Express path, e.g. `/orders/:orderId`. */
  readonly path: string;
  readonly operations: Readonly<Partial<Record<ApiMethod, ApiOperation>>>;
}
