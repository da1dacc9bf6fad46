import { Kind, TypeInfo, visit, visitWithTypeInfo } from 'graphql';
import type { DocumentNode, FieldNode, FragmentDefinitionNode, GraphQLSchema, SelectionSetNode } from 'graphql';
import { FACT_SHAPE } from '../domain/factShape.js';
import type { Shape } from '../domain/factShape.js';
import { memberName } from '../domain/factText.js';
import type { Door } from '../domain/factText.js';

/**
 * The operation rewritten to take facts as stored text, its `facts` without their selection, when every
 * `ResolvedProfile.facts` in it selects the shape stored for the door, in its spelling and order; otherwise undefined.
 *
 * @param document valid against the schema
 */
export function withStoredFacts(schema: GraphQLSchema, document: DocumentNode, door: Door): DocumentNode | undefined {
  const fragments = fragmentsOf(document);
  const found = new Set<boolean>();
  const types = new TypeInfo(schema);
  const enter = (node: FieldNode): FieldNode | undefined => {
    if (types.getParentType()?.name !== 'ResolvedProfile' || node.name.value !== 'facts') return undefined;
    found.add(selectsAll(node.selectionSet, FACT_SHAPE, door, fragments));
    const { selectionSet: _dropped, ...leaf } = node;
    return leaf;
  };
  const rewritten = visit(document, visitWithTypeInfo(types, { Field: { enter } }));
  return found.has(true) && !found.has(false) ? rewritten : undefined;
}

type Fragments = ReadonlyMap<string, FragmentDefinitionNode>;

function fragmentsOf(document: DocumentNode): Fragments {
  const fragments = document.definitions.filter((definition) => definition.kind === Kind.FRAGMENT_DEFINITION);
  return new Map(fragments.map((fragment) => [fragment.name.value, fragment]));
}

function selectsAll(set: SelectionSetNode | undefined, shape: Shape, door: Door, fragments: Fragments): boolean {
  const fields = set && flatten(set, fragments);
  const members = Object.entries(shape);
  if (fields?.length !== members.length) return false;
  return members.every(([member, kind], index) => {
    const field = fields[index];
    if (field?.name.value !== member || (field.alias ?? field.name).value !== memberName(door, member)) return false;
    return typeof kind === 'string' || selectsAll(field.selectionSet, kind, door, fragments);
  });
}

/** The fields of a selection in their order; undefined when a directive makes it conditional. */
function flatten(set: SelectionSetNode, fragments: Fragments): FieldNode[] | undefined {
  const fields: FieldNode[] = [];
  for (const node of set.selections) {
    if ((node.directives?.length ?? 0) > 0) return undefined;
    if (node.kind === Kind.FIELD) {
      fields.push(node);
      continue;
    }
    const inner = node.kind === Kind.INLINE_FRAGMENT ? node : fragments.get(node.name.value);
    const spread =
      inner === undefined || (inner.directives?.length ?? 0) > 0 ? undefined : flatten(inner.selectionSet, fragments);
    if (spread === undefined) return undefined;
    fields.push(...spread);
  }
  return fields;
}
