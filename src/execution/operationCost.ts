import {
  getNamedType,
  getNullableType,
  isCompositeType,
  isListType,
  Kind,
  SchemaMetaFieldDef,
  TypeMetaFieldDef,
} from 'graphql';
import type {
  ArgumentNode,
  DocumentNode,
  FieldNode,
  FragmentDefinitionNode,
  GraphQLField,
  GraphQLNamedType,
  GraphQLSchema,
  OperationDefinitionNode,
  SelectionNode,
  SelectionSetNode,
  ValueNode,
} from 'graphql';
import { accessOf } from '../access/FieldAccess.js';
import { DEFAULT_PAGE_SIZE, MAX_PAGE_SIZE } from '../domain/pageSize.js';
import { IntrospectionCounter } from './IntrospectionCounter.js';

/**
 * Maximum fields that one operation may resolve; lists are counted by the requested size, and introspection
 * by what the schema has: the usual query of tools for the whole schema resolves about 12,500.
 */
export const MAX_COST = 20_000;

/** Typical number of items of lists without pages. They are weighed by it, and charged by what was read. */
const USUAL_ITEMS: ReadonlyMap<string, number> = new Map([
  ['ResolvedProfile.facts', 5],
  ['ResolvedProfileFact.evidence', 2],
  ['Intent.evidence', 2],
]);

/** A count reads up to 10,000 rows. */
const COUNT_FIELDS = 100;

/** The maximum work of an operation. */
export interface Cost {
  /** Fields that it resolves. */
  fields: number;
  /** Resources that it reads. */
  resources: number;
  /** How many of them introspection reads: exactly so many, and no guard counts them. */
  introspected: number;
}

type Variables = Readonly<Record<string, unknown>>;

/** The state of one weighing: its variables, the fragments already weighed, and its introspection. */
interface Weighing {
  variables: Variables;
  fragments: Map<string, Cost>;
  introspection?: IntrospectionCounter;
}

type Weigh = (weighing: Weighing) => Cost;

/** The fields of introspection: of the type of queries, but not among its fields. */
const INTROSPECTION = [SchemaMetaFieldDef, TypeMetaFieldDef];

export interface OperationCost {
  /** Undefined when it depends on variables, or introspects, which is weighed only where it runs. */
  fixed: Cost | undefined;
  of: (variables: Variables) => Cost;
}

export const NOTHING: Cost = { fields: 0, resources: 0, introspected: 0 };

/**
 * The cost of an operation, with lists counted by their bounds, as a function of its variables.
 *
 * @param document valid against the schema
 */
export function operationCost(
  schema: GraphQLSchema,
  document: DocumentNode,
  definition: OperationDefinitionNode,
): OperationCost {
  const reader = new CostReader(schema, document);
  const weigh = reader.operation(definition);
  const of = (variables: Variables): Cost => weigh({ variables, fragments: new Map() });
  return { fixed: reader.varies ? undefined : of({}), of };
}

class CostReader {
  varies = false;
  private readonly definitions: ReadonlyMap<string, FragmentDefinitionNode>;
  private readonly fragments = new Map<string, Weigh>();
  private readonly defaults = new Map<string, unknown>();

  constructor(
    private readonly schema: GraphQLSchema,
    document: DocumentNode,
  ) {
    const definitions = document.definitions.filter(
      (definition) => definition.kind === Kind.FRAGMENT_DEFINITION,
    );
    this.definitions = new Map(definitions.map((definition) => [definition.name.value, definition]));
  }

  operation({ operation, selectionSet, variableDefinitions = [] }: OperationDefinitionNode): Weigh {
    for (const { variable, defaultValue } of variableDefinitions)
      if (defaultValue !== undefined) this.defaults.set(variable.name.value, constantOf(defaultValue));
    return this.selection(selectionSet, this.schema.getRootType(operation) ?? undefined);
  }

  private selection({ selections }: SelectionSetNode, type: GraphQLNamedType | undefined): Weigh {
    const parts = selections.map((node) => this.node(node, type));
    return (weighing) => {
      const sum = { ...NOTHING };
      for (const part of parts) {
        const cost = part(weighing);
        sum.fields += cost.fields;
        sum.resources += cost.resources;
        sum.introspected += cost.introspected;
      }
      return sum;
    };
  }

  private node(node: SelectionNode, type: GraphQLNamedType | undefined): Weigh {
    const weigh = this.unconditional(node, type);
    const conditions = (node.directives ?? []).flatMap(({ name, arguments: args = [] }) => {
      const value = args.find((arg) => arg.name.value === 'if')?.value;
      const wanted = { skip: false, include: true }[name.value];
      return value === undefined || wanted === undefined ? [] : [{ value: this.value(value), wanted }];
    });
    if (conditions.length === 0) return weigh;
    const isMet = ({ variables }: Weighing): boolean =>
      conditions.every(({ value, wanted }) => value(variables) === wanted);
    return (weighing) => (isMet(weighing) ? weigh(weighing) : NOTHING);
  }

  private unconditional(node: SelectionNode, type: GraphQLNamedType | undefined): Weigh {
    if (node.kind === Kind.FIELD) return this.field(node, type);
    if (node.kind === Kind.FRAGMENT_SPREAD) return this.fragment(node.name.value);
    const condition = node.typeCondition?.name.value;
    return this.selection(node.selectionSet, condition === undefined ? type : this.schema.getType(condition));
  }

  /** Weighs a fragment once per weighing, however often it is spread. */
  private fragment(name: string): Weigh {
    const known = this.fragments.get(name);
    if (known !== undefined) return known;
    const definition = this.definitions.get(name);
    const inner =
      definition &&
      this.selection(definition.selectionSet, this.schema.getType(definition.typeCondition.name.value));
    const weigh: Weigh = (weighing) => {
      const cost = weighing.fragments.get(name) ?? inner?.(weighing) ?? NOTHING;
      weighing.fragments.set(name, cost);
      return cost;
    };
    this.fragments.set(name, weigh);
    return weigh;
  }

  private field(node: FieldNode, type: GraphQLNamedType | undefined): Weigh {
    const meta = INTROSPECTION.find(({ name }) => name === node.name.value);
    if (meta !== undefined && type === this.schema.getQueryType()) return this.introspection(node, meta);
    const field =
      type && 'getFields' in type
        ? (type.getFields()[node.name.value] as GraphQLField<unknown, unknown>)
        : undefined;
    if (type === undefined || field === undefined || node.selectionSet === undefined) {
      const leaf = { ...NOTHING, fields: node.name.value === 'totalCount' ? COUNT_FIELDS : 1 };
      return () => leaf;
    }
    const named = getNamedType(field.type);
    const place = `${type.name}.${field.name}`;
    const isResource =
      isCompositeType(named) && (USUAL_ITEMS.has(place) || accessOf(this.schema, field) !== undefined);
    const below = this.selection(node.selectionSet, named);
    const size = this.size(place, field, node.arguments ?? []);
    const own = isResource ? 1 : 0;
    return (weighing) => {
      const cost = below(weighing);
      const items = size(weighing.variables);
      return {
        fields: 1 + items * cost.fields,
        resources: items * (own + cost.resources),
        introspected: items * cost.introspected,
      };
    };
  }

  /** Infinite fields when all introspection of the operation is more than an operation may be. */
  private introspection(node: FieldNode, field: GraphQLField<unknown, unknown>): Weigh {
    this.varies = true;
    const named = node.arguments?.[0]?.value;
    const name = named === undefined ? () => undefined : this.value(named);
    return (weighing) => {
      const introspection = (weighing.introspection ??= new IntrospectionCounter(
        this.schema,
        this.definitions,
        MAX_COST,
      ));
      const { fields, objects } = introspection;
      const typeName = name(weighing.variables);
      if (!introspection.isOver)
        introspection.count(node, field, { name: typeof typeName === 'string' ? typeName : '' });
      const read = introspection.objects - objects;
      const resolved = introspection.isOver ? Infinity : introspection.fields - fields;
      return { fields: resolved, resources: read, introspected: read };
    };
  }

  /** The number of items of a field: the page size, or the number of ids. */
  private size(
    place: string,
    field: GraphQLField<unknown, unknown>,
    given: readonly ArgumentNode[],
  ): (variables: Variables) => number {
    const usual = USUAL_ITEMS.get(place);
    if (usual !== undefined) return () => usual;
    const valueOf = (name: string): ((variables: Variables) => unknown) => {
      const node = given.find((arg) => arg.name.value === name)?.value;
      return node === undefined ? () => undefined : this.value(node);
    };
    const isPaged = field.args.some(({ name }) => name === 'first');
    const list = field.args.find(({ type }) => isListType(getNullableType(type)));
    if (isPaged) return sizeFrom(valueOf('first'), pageSize);
    return list === undefined
      ? () => 1
      : sizeFrom(valueOf(list.name), (ids) => (Array.isArray(ids) ? ids.length : 1));
  }

  private value(node: ValueNode): (variables: Variables) => unknown {
    if (node.kind !== Kind.VARIABLE) {
      const constant = constantOf(node);
      return () => constant;
    }
    this.varies = true;
    const name = node.name.value;
    return (variables) => {
      // A client may name a variable `constructor`.
      const given = Object.hasOwn(variables, name) ? variables[name] : undefined;
      return given === undefined ? this.defaults.get(name) : given;
    };
  }
}

function sizeFrom(
  value: (variables: Variables) => unknown,
  read: (value: unknown) => number,
): (variables: Variables) => number {
  return (variables) => Math.max(1, read(value(variables)));
}

/** An invalid size is refused when the operation runs. */
function pageSize(first: unknown): number {
  if (first === undefined || first === null) return DEFAULT_PAGE_SIZE;
  return Number.isFinite(first) ? Number(first) : MAX_PAGE_SIZE;
}

/** The value of a literal, as far as sizes, conditions and names of types need it. */
function constantOf(node: ValueNode): unknown {
  if (node.kind === Kind.INT) return Number(node.value);
  if (node.kind === Kind.BOOLEAN || node.kind === Kind.STRING) return node.value;
  return node.kind === Kind.LIST ? node.values : undefined;
}
