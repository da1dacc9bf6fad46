import { Kind, TypeInfo, visit, visitWithTypeInfo } from 'graphql';
import type { DocumentNode, FieldNode, FragmentDefinitionNode, GraphQLSchema, SelectionSetNode } from 'graphql';
import type { PrintedMember } from '../documents/compilePrinter.js';
import { CLAIM_SHAPE, FACT_SHAPE, innerShape } from '../documents/factShape.js';
import type { Shape } from '../documents/factShape.js';

/** The fields whose values are documents of a known shape, by type and field: all that is in them is data, nothing resolves. */
export const DOCUMENT_FIELDS: ReadonlyMap<string, Shape> = new Map([
  ['ResolvedProfile.facts', FACT_SHAPE],
  ['ClaimConnection.nodes', CLAIM_SHAPE],
]);

/** What is selected of each document field that can be taken as text. */
export type PrintedFields = ReadonlyMap<string, readonly PrintedMember[]>;

/**
 * The document fields of an operation that can be printed from their shape alone: every selection of the field asks for
 * the same members, each once, without conditions, and for nothing that is not of the shape.
 *
 * @param document valid against the schema
 */
export function printedFields(schema: GraphQLSchema, document: DocumentNode): PrintedFields {
  const fragments = fragmentsOf(document);
  const selected = new Map<string, (PrintedMember[] | undefined)[]>();
  visitDocumentFields(schema, document, (place, shape, node) => {
    selected.set(place, [...(selected.get(place) ?? []), membersOf(node.selectionSet, shape, fragments)]);
    return undefined;
  });
  return new Map([...selected].flatMap(([place, found]) => (agree(found) ? [[place, found[0]]] : [])));
}

/** The operation with the fields given as leaves. */
export function withLeaves(schema: GraphQLSchema, document: DocumentNode, leaves: ReadonlySet<string>): DocumentNode {
  return visitDocumentFields(schema, document, (place, _shape, { selectionSet: _dropped, ...leaf }) =>
    leaves.has(place) ? leaf : undefined,
  );
}

function visitDocumentFields(
  schema: GraphQLSchema,
  document: DocumentNode,
  visitField: (place: string, shape: Shape, node: FieldNode) => FieldNode | undefined,
): DocumentNode {
  const types = new TypeInfo(schema);
  const enter = (node: FieldNode): FieldNode | undefined => {
    const place = `${types.getParentType()?.name}.${node.name.value}`;
    const shape = DOCUMENT_FIELDS.get(place);
    return shape && visitField(place, shape, node);
  };
  return visit(document, visitWithTypeInfo(types, { Field: { enter } }));
}

function agree(found: readonly (PrintedMember[] | undefined)[]): found is readonly [PrintedMember[]] {
  return found[0] !== undefined && new Set(found.map((members) => JSON.stringify(members))).size === 1;
}

type Fragments = ReadonlyMap<string, FragmentDefinitionNode>;

function fragmentsOf(document: DocumentNode): Fragments {
  const fragments = document.definitions.filter((definition) => definition.kind === Kind.FRAGMENT_DEFINITION);
  return new Map(fragments.map((fragment) => [fragment.name.value, fragment]));
}

function membersOf(set: SelectionSetNode | undefined, shape: Shape, fragments: Fragments): PrintedMember[] | undefined {
  const members: PrintedMember[] = [];
  for (const node of (set && flatten(set, fragments)) ?? []) {
    const kind = Object.hasOwn(shape, node.name.value) ? shape[node.name.value] : undefined;
    const below = kind && innerShape(kind);
    const inner =
      below === undefined ? (kind as 'value' | 'enum' | undefined) : membersOf(node.selectionSet, below, fragments);
    if (inner === undefined) return undefined;
    members.push({ name: (node.alias ?? node.name).value, member: node.name.value, kind: inner });
  }
  const names = new Set(members.map(({ name }) => name));
  return members.length > 0 && names.size === members.length ? members : undefined;
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
