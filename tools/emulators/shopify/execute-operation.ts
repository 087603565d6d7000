import {
  buildSchema,
  defaultFieldResolver,
  execute,
  getOperationAST,
  GraphQLError,
  OperationTypeNode,
  parse,
  validate,
  type DocumentNode,
  type GraphQLFieldResolver,
} from "graphql";
import { createAdminRoot, type AdminCall } from "./admin-root.ts";
import { ADMIN_SCHEMA } from "./generated/admin-schema.ts";
import { toActualCost, toRequestedCost, type PointBucket } from "./query-cost.ts";

/** Largest cost of a single query, whatever the bucket holds. */
const COST_MAX = 1000;

const SCHEMA = buildSchema(ADMIN_SCHEMA);

/** A GraphQL request as received. */
export interface AdminRequest {
  readonly query: string;
  readonly variables: Readonly<Record<string, unknown>>;
}

/** A GraphQL answer. The API answers 200 even if the operation is invalid. */
export interface AdminAnswerBody {
  readonly data?: unknown;
  readonly errors?: readonly unknown[];
  readonly extensions?: unknown;
}

/** The answer to one request, with its cost, in the platform's words. */
export async function answerAdmin(
  request: AdminRequest,
  call: AdminCall,
  bucket: PointBucket,
): Promise<AdminAnswerBody> {
  const { document, problems } = parseValid(request.query);
  if (document === undefined) return { errors: problems };
  const requestedQueryCost = toRequestedCost(SCHEMA, document, request.variables);
  const cost = (actualQueryCost: number | null) => ({
    cost: { requestedQueryCost, actualQueryCost, throttleStatus: bucket.status() },
  });
  if (requestedQueryCost > COST_MAX) {
    return { errors: [toError("Query cost exceeds the limit", "MAX_COST_EXCEEDED")], extensions: cost(null) };
  }
  if (!bucket.take(requestedQueryCost)) return throttledAnswer(cost(null));
  const result = await execute({
    schema: SCHEMA,
    document,
    rootValue: createAdminRoot(call),
    variableValues: request.variables,
    fieldResolver: refuseDenied(call),
  });
  const mutation = getOperationAST(document)?.operation === OperationTypeNode.MUTATION;
  const actual = Math.min(requestedQueryCost, toActualCost(result.data, mutation));
  bucket.giveBack(requestedQueryCost - actual);
  const errors = result.errors?.map((error) => describe(error, "INVALID_VARIABLE"));
  return {
    ...(result.data === undefined ? {} : { data: result.data }),
    ...(errors === undefined ? {} : { errors }),
    extensions: cost(actual),
  };
}

/** The answer to a request for which the bucket has too few points. */
export function throttledAnswer(extensions: unknown): AdminAnswerBody {
  return { errors: [toError("Throttled", "THROTTLED")], extensions };
}

/** Name of the first operation in a document; for the record. */
export function nameOperation(query: string): string {
  return /\b(?:query|mutation)\s+(\w+)/.exec(query)?.[1] ?? "";
}

function parseValid(query: string): {
  readonly document?: DocumentNode;
  readonly problems: readonly unknown[];
} {
  try {
    const document = parse(query);
    const problems = validate(SCHEMA, document).map((problem) => describe(problem, "undefinedField"));
    return problems.length === 0 ? { document, problems } : { problems };
  } catch (error) {
    if (!(error instanceof GraphQLError)) throw error;
    return { problems: [describe(error, "parseError")] };
  }
}

/** Missing permissions null the field and say so, as the platform does. */
function refuseDenied(call: AdminCall): GraphQLFieldResolver<unknown, unknown> {
  return (source, args, context, info) => {
    if (call.shop.isDenied(`${info.parentType.name}.${info.fieldName}`)) {
      throw new GraphQLError(`Access denied for ${info.fieldName} field.`, {
        extensions: { code: "ACCESS_DENIED" },
      });
    }
    return defaultFieldResolver(source, args, context, info);
  };
}

function describe(error: GraphQLError, fallback: string): unknown {
  const { message, locations, path, extensions } = error.toJSON();
  return { message, locations, path, extensions: { code: fallback, ...extensions } };
}

function toError(message: string, code: string): unknown {
  return { message, extensions: { code } };
}
