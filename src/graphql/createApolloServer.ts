import { ApolloServer } from '@apollo/server';
import {
  ApolloServerPluginCacheControlDisabled,
  ApolloServerPluginLandingPageDisabled,
  ApolloServerPluginUsageReportingDisabled,
} from '@apollo/server/plugin/disabled';
import type { RequestContext } from '../access/RequestContext.js';
import type { KnownOperations } from '../execution/KnownOperations.js';
import type { Services } from '../Services.js';
import { compiledGateway } from './compiledGateway.js';
import { formatError } from './formatError.js';
import { limitRules } from './limits.js';
import { costPlugin, logPlugin, rememberPlugin, responsePlugin } from './plugins.js';

/** Apollo Server on the guarded schema, with our limits, errors and statuses. */
export function createApolloServer(services: Services, operations: KnownOperations): ApolloServer<RequestContext> {
  const { schema } = operations.compiler;
  return new ApolloServer<RequestContext>({
    gateway: compiledGateway(operations),
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
      costPlugin(schema),
      rememberPlugin(operations),
      logPlugin,
      responsePlugin,
    ],
  });
}
