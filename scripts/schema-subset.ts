import {
  getNamedType,
  isAbstractType,
  isCompositeType,
  isInputObjectType,
  isInterfaceType,
  isUnionType,
  TypeInfo,
  visit,
  visitWithTypeInfo,
  type DocumentNode,
  type GraphQLNamedType,
  type GraphQLObjectType,
  type GraphQLSchema,
  type IntrospectionField,
  type IntrospectionQuery,
  type IntrospectionType,
} from "graphql";

/** The kept parts of a schema: type names, and the fields of each object or interface. */
type Kept = Map<string, Set<string>>;

/**
 * Cut an introspection down to what documents select. Arguments of kept fields, inputs and enums stay whole, so that
 * the part refuses what the full schema refuses.
 */
export function toSubset(
  published: IntrospectionQuery,
  schema: GraphQLSchema,
  documents: readonly DocumentNode[],
): IntrospectionQuery {
  const kept: Kept = new Map();
  for (const document of documents) keepSelected(kept, schema, document);
  for (const type of Object.values(schema.getTypeMap())) fillAbstract(kept, schema, type);
  return {
    __schema: {
      ...published.__schema,
      description: null,
      subscriptionType: null,
      types: published.__schema.types.flatMap((type) => cutType(type, kept)),
      directives: [],
    },
  };
}

function keepSelected(kept: Kept, schema: GraphQLSchema, document: DocumentNode): void {
  const types = new TypeInfo(schema);
  visit(
    document,
    visitWithTypeInfo(types, {
      Field() {
        const parent = types.getParentType();
        const field = types.getFieldDef();
        if (!parent || !field || field.name.startsWith("__")) return;
        keepField(kept, parent, field.name);
        keepType(kept, getNamedType(field.type));
        for (const argument of field.args) keepInput(kept, getNamedType(argument.type));
      },
    }),
  );
}

function keepField(kept: Kept, parent: GraphQLNamedType, field: string): void {
  keepType(kept, parent);
  kept.get(parent.name)?.add(field);
}

function keepType(kept: Kept, type: GraphQLNamedType): void {
  if (!kept.has(type.name)) kept.set(type.name, new Set());
}

function keepInput(kept: Kept, type: GraphQLNamedType): void {
  if (kept.has(type.name)) return;
  keepType(kept, type);
  if (!isInputObjectType(type)) return;
  for (const field of Object.values(type.getFields())) keepInput(kept, getNamedType(field.type));
}

/** Every member of a kept union, and every kept implementation of a kept interface, needs its own field. */
function fillAbstract(kept: Kept, schema: GraphQLSchema, type: GraphQLNamedType): void {
  const fields = kept.get(type.name);
  if (fields === undefined || !isAbstractType(type)) return;
  if (isInterfaceType(type) && fields.size === 0) fields.add("id");
  for (const member of schema.getPossibleTypes(type)) {
    if (isUnionType(type) && !kept.has(member.name)) keepScalar(kept, member);
    if (isInterfaceType(type) && kept.has(member.name)) {
      for (const field of fields) keepField(kept, member, field);
    }
  }
}

function keepScalar(kept: Kept, type: GraphQLObjectType): void {
  const scalar = Object.values(type.getFields()).find(
    (field) => field.args.length === 0 && !isCompositeType(getNamedType(field.type)),
  );
  if (scalar === undefined) return;
  keepField(kept, type, scalar.name);
  keepType(kept, getNamedType(scalar.type));
}

function cutType(type: IntrospectionType, kept: Kept): readonly IntrospectionType[] {
  const fields = kept.get(type.name);
  const builtIn =
    ["ID", "String", "Boolean", "Int", "Float"].includes(type.name) || type.name.startsWith("__");
  if (fields === undefined && !builtIn) return [];
  const bare = { ...type, description: null };
  if (bare.kind === "OBJECT" || bare.kind === "INTERFACE") {
    if (type.name.startsWith("__")) return [bare];
    const cut = {
      ...bare,
      fields: bare.fields.filter((field) => fields?.has(field.name)).map(withoutText),
      interfaces: bare.interfaces.filter((shared) => kept.has(shared.name)),
    };
    return cut.kind === "INTERFACE"
      ? [{ ...cut, possibleTypes: cut.possibleTypes.filter((member) => kept.has(member.name)) }]
      : [cut];
  }
  if (bare.kind === "UNION") {
    return [{ ...bare, possibleTypes: bare.possibleTypes.filter((member) => kept.has(member.name)) }];
  }
  if (bare.kind === "ENUM") return [{ ...bare, enumValues: bare.enumValues.map(withoutText) }];
  if (bare.kind === "INPUT_OBJECT") return [{ ...bare, inputFields: bare.inputFields.map(withoutText) }];
  return [{ ...bare, specifiedByURL: null }];
}

function withoutText<T extends { readonly name: string }>(part: T): T {
  const args = "args" in part ? (part as unknown as IntrospectionField).args : undefined;
  return {
    ...part,
    description: null,
    ...(args === undefined ? {} : { args: args.map(withoutText) }),
    ...("isDeprecated" in part ? { isDeprecated: false, deprecationReason: null } : {}),
  };
}
