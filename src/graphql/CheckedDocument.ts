import { Kind } from 'graphql';
import type { DocumentNode } from 'graphql';
import type { OperationCompiler } from '../execution/OperationCompiler.js';
import { Operation } from './Operation.js';

export interface CheckedOptions {
  text: string;
  document: DocumentNode;
  /** Requests for an operation after which it is compiled; 0: at once. */
  compileAfter: number;
}

/** A document that was found valid, with its operations. */
export class CheckedDocument {
  readonly text: string;
  readonly document: DocumentNode;
  private readonly operations = new Map<string | undefined, Operation>();

  constructor(compiler: OperationCompiler, { text, document, compileAfter }: CheckedOptions) {
    this.text = text;
    this.document = document;
    const definitions = document.definitions.filter(
      (definition) => definition.kind === Kind.OPERATION_DEFINITION,
    );
    for (const definition of definitions) {
      const operation = new Operation(compiler, { definition, document, compileAfter });
      this.operations.set(definition.name?.value, operation);
      if (definitions.length === 1) this.operations.set(undefined, operation);
    }
  }

  /** The operation of a name; without one the only operation. Undefined where there is none. */
  operation(name: string | undefined): Operation | undefined {
    return this.operations.get(name);
  }
}
