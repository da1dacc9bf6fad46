import { Arg, Ctx, FieldResolver, Query, Resolver, Root } from 'type-graphql';
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

interface OverviewRoot extends Overview {
  steps: WindowSteps;
}

@Resolver(() => Overview)
export class OverviewResolver {
  @Query(() => Overview, {
    description:
      'Numbers of the app over a window up to now; withdrawn consent leaves them with the withdrawal.',
  })
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

  @FieldResolver(() => ConsentOverview, { nullable: true })
  @RequiresScopes(['consent:read'])
  consent(@Root() { steps }: OverviewRoot, @Ctx() { loaders }: RequestContext): Promise<ConsentOverview> {
    return loadConsentOverview(loaders, steps);
  }

  @FieldResolver(() => FactsOverview, { nullable: true })
  @RequiresScopes(['profile:read'])
  facts(@Root() { steps }: OverviewRoot, @Ctx() { loaders }: RequestContext): Promise<FactsOverview> {
    return loadFactsOverview(loaders, steps);
  }

  @FieldResolver(() => IngestOverview, { nullable: true })
  @RequiresScopes(['events:read'])
  ingest(@Root() { steps }: OverviewRoot, @Ctx() { loaders }: RequestContext): Promise<IngestOverview> {
    return loadIngestOverview(loaders, steps);
  }

  @FieldResolver(() => DeliveryOverview, { nullable: true })
  @RequiresScopes(['webhooks:read'])
  deliveries(@Root() { steps }: OverviewRoot, @Ctx() { loaders }: RequestContext): Promise<DeliveryOverview> {
    return loadDeliveryOverview(loaders, steps);
  }

  @FieldResolver(() => RequestOverview, { nullable: true })
  @RequiresScopes(['apps:read'])
  requests(@Root() { steps }: OverviewRoot, @Ctx() { loaders }: RequestContext): Promise<RequestOverview> {
    return loadRequestOverview(loaders, steps);
  }
}
