import type { CompiledOperation, OperationCompiler } from '../src/execution/OperationCompiler.js';
import { compileOutput } from './compileOutput.js';
import { compileRoute, resultField } from './compileRoute.js';
import type { CompiledRoute } from './compileRoute.js';
import type { Route } from './Route.js';

/** A route with its compiled operation and the compiled conversion of its answer. */
export interface ExecutableRoute extends CompiledRoute {
  operation: CompiledOperation;
  render: (result: unknown) => unknown;
}

/** @throws Error when the document does not fit the schema or cannot be compiled */
export function executableRoute(compiler: OperationCompiler, route: Route): ExecutableRoute {
  const compiled = compileRoute(compiler.schema, route);
  const operation = compiler.compile(compiled.document, 'rest');
  return { ...compiled, operation, render: renderOf(operation) };
}

function renderOf({ schema, document }: CompiledOperation): ExecutableRoute['render'] {
  const { field, node } = resultField(schema, document);
  if (field === undefined) throw new Error(`There is no root field ${node.name.value}.`);
  return compileOutput(field.type, node.selectionSet);
}
