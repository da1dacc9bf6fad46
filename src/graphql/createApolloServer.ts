import { ApolloServer } from '@apollo/server';
import {
  ApolloServerPluginCacheControlDisabled,
  ApolloServerPluginLandingPageDisabled,
  ApolloServerPluginUsageReportingDisabled,
} from '@apollo/server/plugin/disabled';
import { InMemoryLRUCache } from '@apollo/utils.keyvaluecache';
import type { DocumentNode } from 'graphql';
import type { RequestContext } from '../access/RequestContext.js';
import type { KnownOperations } from '../execution/KnownOperations.js';
import type { Services } from '../Services.js';
import { compiledGateway } from './compiledGateway.js';
import { documentIdPlugin } from './documentIdPlugin.js';
import { formatError } from './formatError.js';
import { limitRules } from './limits.js';
import { logPlugin, operationPlugin, responsePlugin } from './plugins.js';
import { TrustedFirst } from './TrustedFirst.js';

/** Parsed operations that Apollo Server keeps, in bytes of their JSON: some hundreds. Its own 30 MiB are 150 MB of heap. */
const MOST_PARSED = 2 * 2 ** 20;
/** Texts of persisted queries that it keeps, in characters. */
const MOST_TEXT = 4 * 2 ** 20;

/** Apollo Server on the guarded schema, with our limits, errors and statuses. */
export function createApolloServer(services: Services, operations: KnownOperations): ApolloServer<RequestContext> {
  const trustedDocument = (hash: string): DocumentNode | undefined => operations.trustedDocument(hash)?.document;
  const trustedText = (hash: string): string | undefined => operations.trustedDocument(hash)?.text;
  return new ApolloServer<RequestContext>({
    gateway: compiledGateway(operations),
    // What is trusted was parsed and validated at the start; what is asked for often is answered before it comes here.
    documentStore: new TrustedFirst(trustedDocument, new InMemoryLRUCache<DocumentNode>({ maxSize: MOST_PARSED })),
    persistedQueries: { cache: new TrustedFirst(trustedText, new InMemoryLRUCache<string>({ maxSize: MOST_TEXT })) },
    formatError,
    validationRules: [...limitRules],
    // Whoever gets this far holds a token: outside development nobody else does.
    introspection: true,
    includeStacktraceInErrorResponses: false,
    // Safe, as /graphql takes bearer tokens and never cookies; needed to answer every request the specification allows.
    csrfPrevention: false,
    allowBatchedHttpRequests: false,
    stopOnTerminationSignals: false,
    logger: services.log,
    plugins: [
      ApolloServerPluginCacheControlDisabled(),
      ApolloServerPluginLandingPageDisabled(),
      ApolloServerPluginUsageReportingDisabled(),
      documentIdPlugin,
      operationPlugin(operations),
      logPlugin,
      responsePlugin,
    ],
  });
}
