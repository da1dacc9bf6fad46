import type { ApolloServerOptionsWithGateway } from '@apollo/server';
import { execute } from 'graphql';
import type { RequestContext } from '../access/RequestContext.js';
import type { KnownOperations } from '../execution/KnownOperations.js';
import { keyOfRequest } from './keyOfRequest.js';

type Gateway = ApolloServerOptionsWithGateway<RequestContext>['gateway'];
type Executor = NonNullable<Awaited<ReturnType<Gateway['load']>>['executor']>;

/**
 * Apollo Server's way to an executor of one's own: operations asked for before run compiled, whatever is not known or not to be
 * compiled (mutations, introspection, variables that do not fit) by graphql-js. Parsing, validation, errors and statuses stay Apollo's.
 */
export function compiledGateway(operations: KnownOperations): Gateway {
  const { schema } = operations.compiler;
  const listeners = new Set<Parameters<Gateway['onSchemaLoadOrUpdate']>[0]>();
  return {
    onSchemaLoadOrUpdate(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    load() {
      for (const listener of listeners) listener({ apiSchema: schema, coreSupergraphSdl: '' });
      return Promise.resolve({ executor: executorOf(operations) });
    },
    stop: () => Promise.resolve(),
  };
}

function executorOf(operations: KnownOperations): Executor {
  const { schema } = operations.compiler;
  return async ({ request, source, queryHash, document, context }) => {
    const contextValue = context as RequestContext;
    const variables = request.variables ?? {};
    const known = operations.findPlain(keyOfRequest(request, source, queryHash));
    if (known !== undefined && operations.accepts(known, variables)) return known.plain.run(contextValue, variables);
    const operationName = request.operationName ?? null;
    return execute({ schema, document, contextValue, variableValues: variables, operationName });
  };
}
