import { Kind } from 'graphql';
import type { DocumentNode } from 'graphql';
import type { OperationCompiler } from '../execution/OperationCompiler.js';
import { InvalidOperation } from './InvalidOperation.js';
import { Operation } from './Operation.js';

/** A valid document, with its operations. */
export class CheckedDocument {
  private readonly operations = new Map<string | undefined, Operation>();

  /** @param compileAfter number of requests for an operation before it is compiled; 0: at once */
  constructor(
    compiler: OperationCompiler,
    readonly text: string,
    readonly document: DocumentNode,
    compileAfter: number,
  ) {
    const definitions = document.definitions.filter(
      (definition) => definition.kind === Kind.OPERATION_DEFINITION,
    );
    for (const definition of definitions) {
      const operation = new Operation(compiler, document, definition, compileAfter);
      this.operations.set(definition.name?.value, operation);
      if (definitions.length === 1) this.operations.set(undefined, operation);
    }
  }

  /** The operation with the name; without a name, the only operation. Undefined if there is none. */
  operation(name: string | undefined): Operation | undefined {
    return this.operations.get(name);
  }

  /** The same. @throws InvalidOperation if there is none */
  requireOperation(name: string | undefined): Operation {
    const operation = this.operation(name);
    if (operation === undefined)
      throw InvalidOperation.because('There is no such operation in the document.');
    return operation;
  }
}
