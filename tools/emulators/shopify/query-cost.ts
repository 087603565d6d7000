import {
  getNamedType,
  isCompositeType,
  Kind,
  TypeInfo,
  visit,
  visitWithTypeInfo,
  type DocumentNode,
  type FieldNode,
  type GraphQLSchema,
} from "graphql";

/** Cost of a single mutation on top of what it returns. */
const MUTATION_COST = 10;
/** Cost of a connection on top of its nodes. */
const CONNECTION_COST = 2;
const DEFAULT_PAGE = 10;

/** A shop's leaky bucket as the API reports it. */
export interface ThrottleStatus {
  readonly maximumAvailable: number;
  readonly currentlyAvailable: number;
  readonly restoreRate: number;
}

/** Points of one app in one shop. */
export interface PointBucket {
  /** Take `cost` points; `false`, and takes nothing, if there are too few. */
  take(cost: number): boolean;
  /** Return points that were requested and not used. */
  giveBack(cost: number): void;
  status(): ThrottleStatus;
}

/** Create a full {@link PointBucket}. */
export function createPointBucket(
  limits: { readonly maximumAvailable: number; readonly restoreRate: number },
  now: () => number,
): PointBucket {
  let available = limits.maximumAvailable;
  let atMs = now();

  function refill(): void {
    const nowMs = now();
    available = Math.min(limits.maximumAvailable, available + ((nowMs - atMs) / 1000) * limits.restoreRate);
    atMs = nowMs;
  }

  return {
    take(cost) {
      refill();
      if (available < cost) return false;
      available -= cost;
      return true;
    },
    giveBack(cost) {
      refill();
      available = Math.min(limits.maximumAvailable, available + cost);
    },
    status() {
      refill();
      return { ...limits, currentlyAvailable: Math.floor(available) };
    },
  };
}

/**
 * The maximum cost of a document: one point per object, connections and lists by the requested page size, ten
 * per mutation. Scalars are free.
 */
export function toRequestedCost(
  schema: GraphQLSchema,
  document: DocumentNode,
  variables: Readonly<Record<string, unknown>>,
): number {
  const types = new TypeInfo(schema);
  /** How often the current field can occur. */
  const factors = [1];
  let cost = 0;
  visit(
    document,
    visitWithTypeInfo(types, {
      Field: {
        enter(node) {
          const factor = factors.at(-1) ?? 1;
          const type = types.getType();
          const named = type ? getNamedType(type) : undefined;
          const isConnection = named?.name.endsWith("Connection") === true;
          const size = toPageSize(node, variables) ?? (isConnection ? DEFAULT_PAGE : 1);
          const onMutation = types.getParentType() === schema.getMutationType();
          if (isConnection) cost += factor * CONNECTION_COST;
          else if (onMutation) cost += MUTATION_COST;
          else if (isCompositeType(named)) cost += factor * size;
          factors.push(factor * size);
        },
        leave() {
          factors.pop();
        },
      },
    }),
  );
  return cost;
}

function toPageSize(node: FieldNode, variables: Readonly<Record<string, unknown>>): number | undefined {
  const first = node.arguments?.find((argument) => argument.name.value === "first")?.value;
  if (first?.kind === Kind.INT) return Number(first.value);
  return first?.kind === Kind.VARIABLE ? Number(variables[first.name.value]) : undefined;
}

/** The actual cost of an answer: its objects, and ten per mutation. */
export function toActualCost(data: unknown, mutation: boolean): number {
  return countObjects(data) - 1 + (mutation ? MUTATION_COST : 0);
}

function countObjects(value: unknown): number {
  if (Array.isArray(value)) return value.reduce<number>((sum, entry) => sum + countObjects(entry), 0);
  if (typeof value !== "object" || value === null) return 0;
  return Object.values(value).reduce<number>((sum, entry) => sum + countObjects(entry), 1);
}
