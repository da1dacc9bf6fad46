import { Args, Ctx, Int, Resolver } from 'type-graphql';
import type { Connection } from '../schema/connection.js';
import { RequiresScopes } from '../schema/directives.js';
import { RequestLogEntry, RequestLogEntryConnection } from '../schema/types/RequestLog.js';
import { PageArgs } from '../schema/PageArgs.js';
import type { RequestContext } from '../src/access/RequestContext.js';
import { listRequestLog } from '../src/loaders/listRequestLog.js';
import { NonNullQuery, Optional } from './fields.js';

@Resolver(() => RequestLogEntry)
export class RequestLogResolver {
  @NonNullQuery(
    () => RequestLogEntryConnection,
    "The app's requests, newest first: every refused or failed one, and as many others as are sampled.",
  )
  @RequiresScopes(['apps:read'])
  requestLog(
    @Optional('requestId', () => String, 'The `X-Request-Id` of one request.') requestId: string | undefined,
    @Optional('status', () => Int, 'The HTTP status.') status: number | undefined,
    @Optional('failed', () => Boolean, 'Those with an error code alone, or those without.')
    failed: boolean | undefined,
    @Args(() => PageArgs) page: PageArgs,
    @Ctx() context: RequestContext,
  ): Promise<Connection<RequestLogEntry>> {
    const filter = { requestId: requestId ?? null, status: status ?? null, failed: failed ?? null };
    return listRequestLog(context, filter, page);
  }
}
