import { Kind } from 'graphql';
import type { DocumentNode, SelectionSetNode } from 'graphql';

/**
 * Estimates how many pairs graphql-js compares to check that the fields of a document can be merged: in each
 * selection those of one name, and those of its fragments. It grows with the square of repetitions.
 */
export function mergeWork({ definitions }: DocumentNode): number {
  return definitions.reduce(
    (sum, definition) =>
      sum + ('selectionSet' in definition && definition.selectionSet ? workOf(definition.selectionSet) : 0),
    0,
  );
}

function workOf(selectionSet: SelectionSetNode): number {
  const counts = new Map<string, number>();
  let work = 0;
  let spreads = 0;
  const collect = ({ selections }: SelectionSetNode): void => {
    for (const node of selections) {
      if (node.kind === Kind.FRAGMENT_SPREAD) spreads += 1;
      else if (node.kind === Kind.INLINE_FRAGMENT) collect(node.selectionSet);
      else {
        const name = (node.alias ?? node.name).value;
        counts.set(name, (counts.get(name) ?? 0) + 1);
        if (node.selectionSet !== undefined) work += workOf(node.selectionSet);
      }
    }
  };
  collect(selectionSet);
  for (const count of counts.values()) work += (count - 1) ** 2;
  return work + spreads ** 2;
}
