import { HeaderMap } from '@apollo/server';
import type { ApolloServer } from '@apollo/server';
import type { RequestContext } from '../access/RequestContext.js';
import type { Answer } from './answer.js';

/** An operation whose request and document were already read and checked. */
export interface ReadOperation {
  query: string;
  operationName: string | undefined;
  variables: Record<string, unknown>;
}

/**
 * Executes an operation with Apollo Server. All requests are passed in one form, so that nothing is parsed
 * twice in different ways.
 *
 * @param type the media type of the answer
 */
export async function executeByApollo(
  apollo: ApolloServer<RequestContext>,
  operation: ReadOperation,
  context: RequestContext,
  type: string,
): Promise<Answer> {
  const {
    status = 200,
    headers,
    body,
  } = await apollo.executeHTTPGraphQLRequest({
    httpGraphQLRequest: {
      method: 'POST',
      headers: new HeaderMap([
        ['content-type', 'application/json'],
        ['accept', type],
      ]),
      search: '',
      body: { ...operation, operationName: operation.operationName ?? null },
    },
    context: () => Promise.resolve(context),
  });
  if (status >= 500 || body.kind !== 'complete') throw new Error(`Apollo Server answered ${status}.`);
  return { text: body.string, errors: context.outcome.errors ?? [], status, headers };
}
