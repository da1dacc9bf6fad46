import { getNamedType, Kind } from 'graphql';
import type {
  FieldNode,
  FragmentDefinitionNode,
  GraphQLField,
  GraphQLNamedType,
  GraphQLResolveInfo,
  GraphQLSchema,
  SelectionSetNode,
} from 'graphql';

type Field = GraphQLField<unknown, unknown>;

/**
 * Counts what introspection resolves, on the schema itself, as its lists have no pages. Conditions below
 * `__schema` and `__type` are counted as met, and deprecated members as asked for. It stops above a maximum,
 * so that counting takes bounded time too.
 */
export class IntrospectionCounter {
  fields = 0;
  /** Types, fields, arguments, values and directives. */
  objects = 0;
  private readonly info: GraphQLResolveInfo;
  private readonly selected = new Map<SelectionSetNode, readonly FieldNode[]>();

  constructor(
    schema: GraphQLSchema,
    private readonly fragments: ReadonlyMap<string, FragmentDefinitionNode>,
    private readonly max: number,
  ) {
    // The resolvers of introspection read nothing else of it.
    this.info = { schema } as GraphQLResolveInfo;
  }

  get isOver(): boolean {
    return this.fields > this.max;
  }

  /** Counts `__schema` or `__type`. */
  count(node: FieldNode, field: Field, args: Record<string, unknown>): void {
    this.countField(node, field, undefined, args);
  }

  private countField(node: FieldNode, field: Field, source: unknown, args: Record<string, unknown>): void {
    this.fields += 1;
    if (node.selectionSet === undefined) return;
    const value: unknown = field.resolve?.(source, args, undefined, this.info);
    const type = getNamedType(field.type);
    for (const item of Array.isArray(value) ? value : [value])
      if (item !== undefined && item !== null) this.countObject(node.selectionSet, type, item);
  }

  private countObject(set: SelectionSetNode, type: GraphQLNamedType, object: unknown): void {
    const fields = 'getFields' in type ? type.getFields() : {};
    if (!this.isOver) this.objects += 1;
    for (const node of this.fieldsOf(set)) {
      if (this.isOver) return;
      const field = fields[node.name.value] as Field | undefined;
      if (field === undefined) this.fields += 1;
      else this.countField(node, field, object, { includeDeprecated: true });
    }
  }

  /** The fields of a selection. All conditions on types are met, as introspection has no abstract types. */
  private fieldsOf(set: SelectionSetNode): readonly FieldNode[] {
    const known = this.selected.get(set);
    if (known !== undefined) return known;
    const found: FieldNode[] = [];
    this.collect(set, found, new Set());
    this.selected.set(set, found);
    return found;
  }

  /** Each fragment once, as graphql-js does. */
  private collect({ selections }: SelectionSetNode, found: FieldNode[], spread: Set<string>): void {
    for (const node of selections) {
      if (node.kind === Kind.FIELD) found.push(node);
      else if (node.kind === Kind.INLINE_FRAGMENT) this.collect(node.selectionSet, found, spread);
      else if (!spread.has(node.name.value)) {
        spread.add(node.name.value);
        const fragment = this.fragments.get(node.name.value);
        if (fragment !== undefined) this.collect(fragment.selectionSet, found, spread);
      }
    }
  }
}
