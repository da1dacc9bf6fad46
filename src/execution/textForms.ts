import { getNamedType, isObjectType, Kind, TypeInfo, visit, visitWithTypeInfo } from 'graphql';
import type {
  DocumentNode,
  FieldNode,
  FragmentDefinitionNode,
  GraphQLOutputType,
  GraphQLSchema,
  SelectionSetNode,
} from 'graphql';
import { compileCutter } from '../documents/compileCutter.js';
import type { SelectedMember, Selection } from '../documents/compileCutter.js';
import { isAsStored } from '../documents/DocumentForms.js';
import type { DocumentForm, TextForm } from '../documents/DocumentForms.js';
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
 * How the document fields of an operation are answered with stored text, by their places: as it is stored,
 * where every member is selected in the stored order and spelling of the interface, or cut. Fields are left
 * out that are selected twice and not whole, or with conditions or members that are not stored.
 *
 * @param document valid against the schema
 */
export function textForms(schema: GraphQLSchema, document: DocumentNode, door: Door): Map<string, TextForm> {
  const fragments = fragmentsOf(document);
  const found = new Map<string, DocumentForm>();
  visitDocumentFields(schema, document, (place, field, node, type) => {
    const form = formOf(door, field, selectionOf(node.selectionSet, type, field.shape, fragments));
    const earlier = found.get(place) ?? form;
    const isOne = earlier === form || (isAsStored(earlier) && isAsStored(form));
    found.set(place, isOne ? form : 'objects');
    return undefined;
  });
  return new Map([...found].flatMap(([place, form]) => (form === 'objects' ? [] : [[place, form]])));
}

function formOf(
  door: Door,
  { shape, storedFor }: DocumentField,
  selection: Selection | undefined,
): DocumentForm {
  if (selection === undefined) return 'objects';
  if (storedFor.includes(door) && isWhole(door, shape, selection)) return { storedFor: door };
  return { storedFor: 'graphql', cut: compileCutter(door, shape, selection) };
}

/** Turns the given fields of an operation into leaves. */
export function withLeaves(
  schema: GraphQLSchema,
  document: DocumentNode,
  leaves: ReadonlyMap<string, TextForm>,
): DocumentNode {
  return visitDocumentFields(schema, document, (place, _field, { selectionSet: _dropped, ...leaf }) =>
    leaves.has(place) ? leaf : undefined,
  );
}

function visitDocumentFields(
  schema: GraphQLSchema,
  document: DocumentNode,
  visitField: (
    place: string,
    field: DocumentField,
    node: FieldNode,
    type: GraphQLOutputType,
  ) => FieldNode | undefined,
): DocumentNode {
  const types = new TypeInfo(schema);
  const enter = (node: FieldNode): FieldNode | undefined => {
    const place = `${types.getParentType()?.name}.${node.name.value}`;
    const field = DOCUMENT_FIELDS.get(place);
    const type = types.getType();
    return field && type ? visitField(place, field, node, type) : undefined;
  };
  return visit(document, visitWithTypeInfo(types, { Field: { enter } }));
}

type Fragments = ReadonlyMap<string, FragmentDefinitionNode>;

function fragmentsOf(document: DocumentNode): Fragments {
  const fragments = document.definitions.filter((definition) => definition.kind === Kind.FRAGMENT_DEFINITION);
  return new Map(fragments.map((fragment) => [fragment.name.value, fragment]));
}

/** What a selection shows of documents; undefined when they cannot be cut to it. */
function selectionOf(
  set: SelectionSetNode | undefined,
  type: GraphQLOutputType,
  shape: Shape,
  fragments: Fragments,
): Selection | undefined {
  const fields = set && flatten(set, fragments);
  if (fields === undefined) return undefined;
  const selection: SelectedMember[] = [];
  for (const field of fields) {
    const selected = selectedMember(field, type, shape, fragments);
    if (selected === undefined || selection.some((other) => isSame(other, selected))) return undefined;
    selection.push(selected);
  }
  return selection;
}

/** Whether two fields are one in the answer, or show one member twice. */
function isSame(one: SelectedMember, other: SelectedMember): boolean {
  return one.name === other.name || (one.member !== undefined && one.member === other.member);
}

function selectedMember(
  field: FieldNode,
  type: GraphQLOutputType,
  shape: Shape,
  fragments: Fragments,
): SelectedMember | undefined {
  const named = getNamedType(type);
  const member = field.name.value;
  const name = (field.alias ?? field.name).value;
  if (member === '__typename') return { name, typeName: JSON.stringify(named.name) };
  const kind = shape[member];
  const below = isObjectType(named) ? named.getFields()[member] : undefined;
  if (kind === undefined || below === undefined) return undefined;
  const innerOf = innerShape(kind);
  if (innerOf === undefined) return { name, member };
  const inner = selectionOf(field.selectionSet, below.type, innerOf, fragments);
  return inner && { name, member, inner };
}

function isWhole(door: Door, shape: Shape, selection: Selection): boolean {
  const members = Object.entries(shape);
  return (
    selection.length === members.length &&
    members.every(([member, kind], index) => {
      const selected = selection[index];
      const inner = innerShape(kind);
      const isStored = selected?.member === member && selected.name === memberName(door, member);
      return isStored && (inner === undefined || isWhole(door, inner, selected.inner ?? []));
    })
  );
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
