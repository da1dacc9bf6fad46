import { getOperationAST, Kind, OperationTypeNode } from 'graphql';
import type { DocumentNode, OperationDefinitionNode, SelectionSetNode } from 'graphql';
import { classOf } from '../access/guardSchema.js';
import type { OperationClass } from '../access/RateLimiter.js';

/** The limits that the root fields of an operation count against, those in fragments too. */
export function rootClasses(
  document: DocumentNode,
  { operation, selectionSet }: OperationDefinitionNode,
): Set<OperationClass> {
  const isMutation = operation === OperationTypeNode.MUTATION;
  const names = [...rootNames(selectionSet, fragmentsOf(document), new Set())];
  return new Set(names.map((name) => classOf(name, isMutation)));
}

/**
 * The limit that a request counts against until its operation runs; then each field of a mutation counts
 * against its own. Of several limits it is the widest, so that none refuses what counts against another.
 *
 * @param document parsed, perhaps not valid
 */
export function guessClass(document: DocumentNode, operationName: string | undefined): OperationClass {
  const definition = getOperationAST(document, operationName);
  if (definition === undefined || definition === null) return 'write';
  if (definition.operation !== OperationTypeNode.MUTATION) return 'read';
  const classes = rootClasses(document, definition);
  return (['revoke', 'ingest'] as const).find((one) => classes.has(one)) ?? 'write';
}

type Fragments = ReadonlyMap<string, SelectionSetNode>;

function fragmentsOf({ definitions }: DocumentNode): Fragments {
  const fragments = definitions.filter((definition) => definition.kind === Kind.FRAGMENT_DEFINITION);
  return new Map(fragments.map(({ name, selectionSet }) => [name.value, selectionSet]));
}

/** The names of an operation's root fields, those in fragments too. */
function* rootNames(
  { selections }: SelectionSetNode,
  fragments: Fragments,
  seen: Set<string>,
): Generator<string> {
  for (const node of selections) {
    if (node.kind === Kind.FIELD) yield node.name.value;
    else if (node.kind === Kind.INLINE_FRAGMENT) yield* rootNames(node.selectionSet, fragments, seen);
    else if (!seen.has(node.name.value)) {
      seen.add(node.name.value);
      const inner = fragments.get(node.name.value);
      if (inner !== undefined) yield* rootNames(inner, fragments, seen);
    }
  }
}
