import { ApolloServer } from '@apollo/server';
import {
  ApolloServerPluginCacheControlDisabled,
  ApolloServerPluginLandingPageDisabled,
  ApolloServerPluginUsageReportingDisabled,
} from '@apollo/server/plugin/disabled';
import type { DocumentNode } from 'graphql';
import type { RequestContext } from '../access/RequestContext.js';
import { DATA_DEPTH, printInSlices } from '../execution/printInSlices.js';
import type { Services } from '../Services.js';
import type { Documents } from './Documents.js';
import { formatError } from './formatError.js';
import { limitRules } from './limits.js';
import { logPlugin, responsePlugin } from './plugins.js';

/**
 * Creates an Apollo Server on the guarded schema, with the service's errors and statuses. It executes
 * operations that are not compiled, such as mutations and introspection. Documents and variables are already
 * checked.
 */
export function createApolloServer(services: Services, documents: Documents): ApolloServer<RequestContext> {
  return new ApolloServer<RequestContext>({
    schema: documents.compiler.schema,
    documentStore: {
      // The keys end with the SHA-256 of the text.
      get: (key: string): Promise<DocumentNode | undefined> =>
        Promise.resolve(documents.parsed(key.slice(-64))),
      set: () => Promise.resolve(),
      delete: () => Promise.resolve(),
    },
    persistedQueries: false,
    formatError,
    // One level deeper, as the data is a member of the answer.
    stringifyResult: async (answer) => `${await printInSlices(answer, DATA_DEPTH + 1)}\n`,
    validationRules: [...limitRules],
    // In production only callers with a valid credential reach this point.
    introspection: true,
    includeStacktraceInErrorResponses: false,
    // Safe, as /graphql accepts bearer tokens and never cookies. Needed to answer every request that the
    // specification allows.
    csrfPrevention: false,
    allowBatchedHttpRequests: false,
    stopOnTerminationSignals: false,
    logger: services.log,
    plugins: [
      ApolloServerPluginCacheControlDisabled(),
      ApolloServerPluginLandingPageDisabled(),
      ApolloServerPluginUsageReportingDisabled(),
      logPlugin,
      responsePlugin,
    ],
  });
}
