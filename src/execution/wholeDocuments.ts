import { Kind, TypeInfo, visit, visitWithTypeInfo } from 'graphql';
import type {
  DocumentNode,
  FieldNode,
  FragmentDefinitionNode,
  GraphQLSchema,
  SelectionSetNode,
} from 'graphql';
import { memberName } from '../domain/door.js';
import type { Door } from '../domain/door.js';
import { CLAIM_SHAPE, FACT_SHAPE, innerShape } from '../documents/factShape.js';
import type { Shape } from '../documents/factShape.js';

interface DocumentField {
  shape: Shape;
  /** The interfaces in whose spelling its documents are stored. */
  storedFor: readonly Door[];
}

/** The fields whose values are stored documents. They are plain data without resolvers. */
const DOCUMENT_FIELDS: ReadonlyMap<string, DocumentField> = new Map([
  ['ResolvedProfile.facts', { shape: FACT_SHAPE, storedFor: ['graphql', 'rest'] }],
  ['ClaimConnection.nodes', { shape: CLAIM_SHAPE, storedFor: ['graphql'] }],
]);

/**
 * The document fields of an operation that can be answered with stored text: every selection of the field is
 * the whole document, in the stored order and spelling of the interface, without conditions.
 *
 * @param document valid against the schema
 */
export function wholeDocuments(schema: GraphQLSchema, document: DocumentNode, door: Door): Set<string> {
  const fragments = fragmentsOf(document);
  const whole = new Map<string, boolean>();
  visitDocumentFields(schema, document, (place, { shape, storedFor }, node) => {
    const isStored = storedFor.includes(door) && isWhole(node.selectionSet, shape, door, fragments);
    whole.set(place, isStored && whole.get(place) !== false);
    return undefined;
  });
  return new Set([...whole].flatMap(([place, isStored]) => (isStored ? [place] : [])));
}

/** Turns the given fields of an operation into leaves. */
export function withLeaves(
  schema: GraphQLSchema,
  document: DocumentNode,
  leaves: ReadonlySet<string>,
): DocumentNode {
  return visitDocumentFields(schema, document, (place, _field, { selectionSet: _dropped, ...leaf }) =>
    leaves.has(place) ? leaf : undefined,
  );
}

function visitDocumentFields(
  schema: GraphQLSchema,
  document: DocumentNode,
  visitField: (place: string, field: DocumentField, node: FieldNode) => FieldNode | undefined,
): DocumentNode {
  const types = new TypeInfo(schema);
  const enter = (node: FieldNode): FieldNode | undefined => {
    const place = `${types.getParentType()?.name}.${node.name.value}`;
    const field = DOCUMENT_FIELDS.get(place);
    return field && visitField(place, field, node);
  };
  return visit(document, visitWithTypeInfo(types, { Field: { enter } }));
}

type Fragments = ReadonlyMap<string, FragmentDefinitionNode>;

function fragmentsOf(document: DocumentNode): Fragments {
  const fragments = document.definitions.filter((definition) => definition.kind === Kind.FRAGMENT_DEFINITION);
  return new Map(fragments.map((fragment) => [fragment.name.value, fragment]));
}

function isWhole(set: SelectionSetNode | undefined, shape: Shape, door: Door, fragments: Fragments): boolean {
  const fields = set && flatten(set, fragments);
  const members = Object.entries(shape);
  if (fields?.length !== members.length) return false;
  return members.every(([member, kind], index) => {
    const field = fields[index];
    if (field?.name.value !== member || (field.alias ?? field.name).value !== memberName(door, member))
      return false;
    const inner = innerShape(kind);
    return inner === undefined || isWhole(field.selectionSet, inner, door, fragments);
  });
}

/** The fields of a selection, in order; undefined when a directive makes it conditional. */
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
      inner === undefined || (inner.directives?.length ?? 0) > 0
        ? undefined
        : flatten(inner.selectionSet, fragments);
    if (spread === undefined) return undefined;
    fields.push(...spread);
  }
  return fields;
}
