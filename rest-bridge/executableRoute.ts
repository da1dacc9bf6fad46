import type { CompiledOperation, OperationCompiler } from '../src/execution/OperationCompiler.js';
import { compileRoute } from './compileRoute.js';
import type { CompiledRoute } from './compileRoute.js';
import type { Route } from './Route.js';

/** A route with its compiled operation. */
export interface ExecutableRoute extends CompiledRoute {
  operation: CompiledOperation;
}

/** @throws Error when the document does not fit the schema or cannot be compiled */
export function executableRoute(compiler: OperationCompiler, route: Route): ExecutableRoute {
  const compiled = compileRoute(compiler.schema, route);
  return { ...compiled, operation: compiler.compile(compiled.document, 'rest') };
}
