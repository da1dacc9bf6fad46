import { Arg, Ctx, Resolver, Root } from 'type-graphql';
import { RequiresScopes } from '../schema/directives.js';
import { OverviewWindowType } from '../schema/enums.js';
import {
  ConsentOverview,
  DeliveryOverview,
  FactsOverview,
  IngestOverview,
  Overview,
  RequestOverview,
} from '../schema/types/Overview.js';
import type { RequestContext } from '../src/access/RequestContext.js';
import { stepsOf } from '../src/domain/overview/overviewWindow.js';
import type { OverviewWindow, WindowSteps } from '../src/domain/overview/overviewWindow.js';
import { loadDeliveryOverview } from '../src/loaders/loadDeliveryOverview.js';
import {
  loadConsentOverview,
  loadFactsOverview,
  loadIngestOverview,
  loadRequestOverview,
} from '../src/loaders/loadOverview.js';
import { NonNullQuery, NullableField } from './fields.js';

interface OverviewRoot extends Overview {
  steps: WindowSteps;
}

@Resolver(() => Overview)
export class OverviewResolver {
  @NonNullQuery(
    () => Overview,
    'Numbers of the app over a window up to now; withdrawn consent leaves them with the withdrawal.',
  )
  @RequiresScopes(['apps:read'], ['consent:read'], ['profile:read'], ['events:read'], ['webhooks:read'])
  overview(
    @Arg('window', () => OverviewWindowType, { nullable: true, defaultValue: 'days_7' })
    window: OverviewWindow | null,
    @Ctx() { services }: RequestContext,
  ): OverviewRoot {
    const now = services.clock();
    const steps = stepsOf(window ?? 'days_7', now);
    return { from: steps.from.toISOString(), to: now.toISOString(), stepSeconds: steps.stepSeconds, steps };
  }

  @NullableField(() => ConsentOverview, 'Customers and what they granted.')
  @RequiresScopes(['consent:read'])
  consent(@Root() { steps }: OverviewRoot, @Ctx() context: RequestContext): Promise<ConsentOverview> {
    return loadConsentOverview(context, steps);
  }

  @NullableField(() => FactsOverview, 'Facts and how sure they are.')
  @RequiresScopes(['profile:read'])
  facts(@Root() { steps }: OverviewRoot, @Ctx() context: RequestContext): Promise<FactsOverview> {
    return loadFactsOverview(context, steps);
  }

  @NullableField(() => IngestOverview, 'Events and claims that came in.')
  @RequiresScopes(['events:read'])
  ingest(@Root() { steps }: OverviewRoot, @Ctx() context: RequestContext): Promise<IngestOverview> {
    return loadIngestOverview(context, steps);
  }

  @NullableField(() => DeliveryOverview, 'Webhooks and how they fare.')
  @RequiresScopes(['webhooks:read'])
  deliveries(@Root() { steps }: OverviewRoot, @Ctx() context: RequestContext): Promise<DeliveryOverview> {
    return loadDeliveryOverview(context, steps);
  }

  @NullableField(() => RequestOverview, 'Requests and how they were answered.')
  @RequiresScopes(['apps:read'])
  requests(@Root() { steps }: OverviewRoot, @Ctx() context: RequestContext): Promise<RequestOverview> {
    return loadRequestOverview(context, steps);
  }
}
