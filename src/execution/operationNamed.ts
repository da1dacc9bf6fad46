import { Kind } from 'graphql';
import type { DocumentNode, OperationDefinitionNode } from 'graphql';

/** The operation with the name; without a name, the document's first. */
export function operationNamed(
  document: DocumentNode,
  name: string | undefined,
): OperationDefinitionNode | undefined {
  const operations = document.definitions.filter(
    (definition) => definition.kind === Kind.OPERATION_DEFINITION,
  );
  return name === undefined ? operations[0] : operations.find((operation) => operation.name?.value === name);
}
