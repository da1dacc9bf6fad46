import { Kind, visit } from 'graphql';
import type {
  ConstDirectiveNode,
  EnumValueDefinitionNode,
  FieldDefinitionNode,
  GraphQLSchema,
  InputValueDefinitionNode,
  TypeDefinitionNode,
} from 'graphql';

type DefinitionNode =
  EnumValueDefinitionNode | FieldDefinitionNode | InputValueDefinitionNode | TypeDefinitionNode;

/**
 * A misspelled directive would silently guard nothing.
 *
 * @throws Error naming a directive that the schema uses but does not define
 */
export function refuseUnknownDirectives(schema: GraphQLSchema): void {
  const known = new Set(schema.getDirectives().map(({ name }) => name));
  for (const node of definitions(schema)) {
    visit(node, {
      [Kind.DIRECTIVE]: (directive) => {
        const { name } = directive as ConstDirectiveNode;
        if (!known.has(name.value))
          throw new Error(`Unknown directive @${name.value} in the definition of ${node.name.value}.`);
      },
    });
  }
}

/** The definitions of the types. TypeGraphQL stores a field's directives only with the field. */
function definitions(schema: GraphQLSchema): DefinitionNode[] {
  const types = Object.values(schema.getTypeMap());
  const fields = types.flatMap((type) => ('getFields' in type ? Object.values(type.getFields()) : []));
  const values = types.flatMap((type) => ('getValues' in type ? type.getValues() : []));
  const args = fields.flatMap((field) => ('args' in field ? field.args : []));
  return [...types, ...fields, ...values, ...args].flatMap(({ astNode }) => astNode ?? []);
}
