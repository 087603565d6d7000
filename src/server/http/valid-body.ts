import { z } from "zod";
import type { FieldProblem } from "../../base/errors.ts";
import { toFieldProblems } from "../../order/request.ts";
import { cutText } from "../../order/text.ts";
import type { OpenCall } from "../api/api-route.ts";
import { readJson } from "./json-body.ts";
import { sendProblem } from "./responses.ts";
import { discardRest } from "./request-body.ts";

const BODY_TIMEOUT_MS = 10_000;
/** Keys come from the body. Long ones are cut before they are shown. */
const NAME_SHOWN_LENGTH = 64;
const UNKNOWN = "unknown field";

/** Options of {@link readValidBody}. */
export interface ValidBodyLimits {
  readonly maxBytes: number;
  /** Default 10 000. */
  readonly bodyTimeoutMs?: number | undefined;
}

/**
 * Read a call's body and check it. Resolves to undefined when it was no use, which has been answered by then: 422 with
 * every field at fault, or what {@link readJson} says.
 */
export async function readValidBody<T>(
  { req, res }: Pick<OpenCall, "req" | "res">,
  schema: z.ZodType<T>,
  { maxBytes, bodyTimeoutMs = BODY_TIMEOUT_MS }: ValidBodyLimits,
): Promise<T | undefined> {
  const body = await readJson(req, { maxBytes, timeoutMs: bodyTimeoutMs });
  if (body.outcome === "aborted") return undefined;
  if (body.outcome === "refused") {
    sendProblem(res, body.problem);
    discardRest(req);
    return undefined;
  }
  const parsed = schema.safeParse(body.document);
  if (parsed.success) return parsed.data;
  sendProblem(res, {
    status: 422,
    detail: "The body is invalid. Fix the fields listed in errors.",
    errors: toBodyProblems(parsed.error),
  });
  return undefined;
}

/** One problem per field that is not known, where zod has one for all of them. */
function toBodyProblems(error: z.ZodError): readonly FieldProblem[] {
  const issues = error.issues.flatMap((issue): z.core.$ZodIssue[] =>
    issue.code === "unrecognized_keys"
      ? issue.keys.map((key) => {
          return { ...issue, path: [...issue.path, cutText(key, NAME_SHOWN_LENGTH)], message: UNKNOWN };
        })
      : [issue],
  );
  return toFieldProblems(new z.ZodError(issues));
}
