/**
 * Writes the documents that the adapter sends, with the types of their variables and answers, from
 * `adapters/shopify/operations`: `node scripts/generate-admin-operations.ts`.
 */
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import * as graphql from "graphql";
import { Kind, type GraphQLCompositeType, type GraphQLType, type SelectionNode } from "graphql";
import { ADMIN_SCHEMA } from "../tools/emulators/shopify/generated/admin-schema.ts";

const SOURCE = new URL("../adapters/shopify/operations/", import.meta.url);
const TARGET = new URL("../adapters/shopify/operations/generated/operations.ts", import.meta.url);
/** Other scalars are text. So are enums: Shopify may send a value that the schema doesn't have yet. */
const SCALARS: Readonly<Record<string, string>> = {
  Int: "number",
  Boolean: "boolean",
  JSON: "unknown",
};

const text = readdirSync(SOURCE)
  .filter((name) => name.endsWith(".graphql"))
  .map((name) => readFileSync(new URL(name, SOURCE), "utf8"));
const { definitions } = graphql.parse(text.join("\n"));
const fragments = definitions.filter((definition) => definition.kind === Kind.FRAGMENT_DEFINITION);
const operations = definitions.filter((definition) => definition.kind === Kind.OPERATION_DEFINITION);

/** Every document by its name, with its fragments in place. */
export function readOperations(): Readonly<Record<string, string>> {
  const inline = (selection: SelectionNode): readonly SelectionNode[] => {
    if (selection.kind !== Kind.FRAGMENT_SPREAD) return [selection];
    const fragment = fragments.find(({ name }) => name.value === selection.name.value);
    return (fragment?.selectionSet.selections ?? []).flatMap(inline);
  };
  const whole = operations.map((operation) =>
    graphql.visit(operation, {
      SelectionSet: (node) => ({ ...node, selections: node.selections.flatMap(inline) }),
    }),
  );
  return Object.fromEntries(whole.map((operation) => [operation.name?.value, graphql.print(operation)]));
}

/** The text of the generated module. */
export function toModule(): string {
  const schema = graphql.buildSchema(ADMIN_SCHEMA);

  function toObject(type: GraphQLCompositeType, selections: readonly SelectionNode[]): string {
    const narrower = selections.filter(({ kind }) => kind === Kind.INLINE_FRAGMENT);
    const members = graphql.isAbstractType(type) ? schema.getPossibleTypes(type) : [type];
    if (narrower.length === 0) return toFields(type, selections);
    return members.map((member) => toFields(member, selections)).join(" | ");
  }

  function toFields(type: GraphQLCompositeType, selections: readonly SelectionNode[]): string {
    const fields = graphql.isUnionType(type) ? {} : type.getFields();
    const rest: string[] = [];
    const own = selections.flatMap((selection) => {
      if (selection.kind === Kind.FRAGMENT_SPREAD) rest.push(selection.name.value);
      if (selection.kind === Kind.INLINE_FRAGMENT && selection.typeCondition?.name.value === type.name)
        rest.push(toObject(type, selection.selectionSet.selections));
      if (selection.kind !== Kind.FIELD) return [];
      const { name, selectionSet } = selection;
      const field = fields[name.value];
      const value = field === undefined ? `"${type.name}"` : toValue(field.type, selectionSet?.selections);
      return [`readonly ${name.value}: ${value}`];
    });
    return [...(own.length === 0 ? [] : [`{ ${own.join("; ")} }`]), ...rest].join(" & ");
  }

  /** The type of a field that was selected, or of a variable, which has no selections. */
  function toValue(type: GraphQLType, selections: readonly SelectionNode[] = [], isNull = " | null"): string {
    if (graphql.isNonNullType(type)) return toValue(type.ofType, selections, "");
    if (graphql.isListType(type)) return `readonly (${toValue(type.ofType, selections)})[]${isNull}`;
    if (graphql.isCompositeType(type)) return toObject(type, selections) + isNull;
    if (!graphql.isInputObjectType(type)) return (SCALARS[type.name] ?? "string") + isNull;
    return `{ ${Object.values(type.getFields())
      .map((field) => toInput(field.name, field.type))
      .join("; ")} }`;
  }

  const toInput = (name: string, type: GraphQLType): string =>
    `readonly ${name}${graphql.isNonNullType(type) ? "" : "?"}: ${toValue(type)}`;

  const types = fragments.map(({ name, typeCondition, selectionSet }) => {
    const type = schema.getType(typeCondition.name.value) as GraphQLCompositeType;
    return `export type ${name.value} = ${toObject(type, selectionSet.selections)};`;
  });
  const shapes = operations.map(({ name, operation, variableDefinitions = [], selectionSet }) => {
    const variables = variableDefinitions.map(({ variable, type }) =>
      toInput(variable.name.value, graphql.typeFromAST(schema, type as graphql.NamedTypeNode) as GraphQLType),
    );
    const data = toObject(schema.getRootType(operation) as GraphQLCompositeType, selectionSet.selections);
    const given = variables.length === 0 ? "Readonly<Record<string, never>>" : `{ ${variables.join("; ")} }`;
    return `  ${name?.value}: {\n    variables: ${given};\n    data: ${data};\n  };`;
  });
  return [
    "// Made by scripts/generate-admin-operations.ts: do not edit.",
    ...types,
    `/** The variables of each document, and the data of its answer. */\nexport interface Operations {\n${shapes.join("\n")}\n}`,
    `/** Each document that the adapter sends. */\nexport const OPERATIONS = ${JSON.stringify(readOperations(), null, 2)} as const;`,
    "",
  ].join("\n\n");
}

if (import.meta.main) writeFileSync(TARGET, toModule());
