import { Kind, parse, print, TypeInfo, visit, visitWithTypeInfo } from 'graphql';
import type { FragmentDefinitionNode, GraphQLSchema, InlineFragmentNode, SelectionSetNode } from 'graphql';

/**
 * The operation with named fragments in the place of unconditional inline ones, each spread wherever its type
 * is selected.
 */
export function withFragments(schema: GraphQLSchema, text: string): string {
  const found: FragmentDefinitionNode[] = [];
  const enter = (node: InlineFragmentNode): undefined => {
    if (node.typeCondition === undefined || (node.directives?.length ?? 0) > 0) return;
    const name = { kind: Kind.NAME as const, value: `f${found.length}` };
    const { typeCondition, selectionSet } = node;
    found.push({ kind: Kind.FRAGMENT_DEFINITION, name, typeCondition, selectionSet });
  };
  const document = parse(text);
  visit(document, { InlineFragment: { enter } });
  const types = new TypeInfo(schema);
  const leave = (set: SelectionSetNode): SelectionSetNode => {
    const fitting = found.filter(
      ({ typeCondition }) => typeCondition.name.value === types.getParentType()?.name,
    );
    const spreads = fitting.map(({ name }) => ({ kind: Kind.FRAGMENT_SPREAD as const, name }));
    return { ...set, selections: [...spreads, ...set.selections] };
  };
  const spread = visit(document, visitWithTypeInfo(types, { SelectionSet: { leave } }));
  return print({ ...spread, definitions: [...spread.definitions, ...found] });
}
