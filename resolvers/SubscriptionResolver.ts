import { Arg, Ctx, ID, Resolver, Root } from 'type-graphql';
import { Consent, RequiresScopes } from '../schema/directives.js';
import { ConsentPurpose } from '../schema/enums.js';
import { Live } from '../schema/Live.js';
import { ConnectionSession } from '../schema/types/ConnectionSession.js';
import { EffectiveConsent } from '../schema/types/Consent.js';
import { Event } from '../schema/types/Event.js';
import { ResolvedProfile } from '../schema/types/ResolvedProfile.js';
import { WebhookDelivery } from '../schema/types/Webhook.js';
import { Workflow } from '../schema/types/Workflow.js';
import type { Gated } from '../src/access/consentGate.js';
import type { RequestContext } from '../src/access/RequestContext.js';
import type { Purpose } from '../src/domain/purposes.js';
import { loadWebhookDelivery } from '../src/loaders/listWebhookDeliveries.js';
import { loadWebhookEndpoint } from '../src/loaders/listWebhookEndpoints.js';
import { loadConnectionSession } from '../src/loaders/loadConnectionSession.js';
import { loadEvent } from '../src/loaders/loadEvent.js';
import { loadWorkflow } from '../src/loaders/loadWorkflow.js';
import { found } from './found.js';
import { Optional } from './fields.js';
import { loadProfile } from '../src/loaders/loadProfiles.js';
import { loadEffectiveConsent } from '../src/loaders/loadEffectiveConsents.js';

interface Hint {
  /** The id of what changed, when the field covers many subjects. */
  changed?: string;
}

@Resolver()
export class SubscriptionResolver {
  @Live(() => ConnectionSession, 'session', 'id', 'A session now, and whenever it changes.')
  @RequiresScopes(['connections:read'])
  async connectionSessionChanged(
    @Arg('id', () => ID) id: string,
    @Ctx() context: RequestContext,
  ): Promise<ConnectionSession> {
    return found(await loadConnectionSession(context, id), 'connection session');
  }

  @Live(() => Workflow, 'workflow', 'id', 'A workflow now, and whenever it changes.')
  @RequiresScopes(['workflows:read'])
  async workflowChanged(@Arg('id', () => ID) id: string, @Ctx() context: RequestContext): Promise<Workflow> {
    return found(await loadWorkflow(context, id), 'workflow');
  }

  @Live(
    () => EffectiveConsent,
    'consent',
    'customerId',
    "A customer's effective consent now, and after every decision.",
  )
  @RequiresScopes(['consent:read'])
  async consentChanged(
    @Arg('customerId', () => ID) customerId: string,
    @Ctx() context: RequestContext,
  ): Promise<EffectiveConsent> {
    return found(await loadEffectiveConsent(context, customerId), 'customer');
  }

  @Live(
    () => ResolvedProfile,
    'profile',
    'customerId',
    'The facts of a purpose, or of every purpose granted now, and whenever they change. When the purpose is withdrawn: `CONSENT_DENIED`, and the end.',
  )
  @RequiresScopes(['profile:read'])
  @Consent({ argument: 'consentPurpose' })
  profileChanged(
    @Arg('customerId', () => ID) customerId: string,
    @Optional('consentPurpose', () => ConsentPurpose) consentPurpose: Purpose | undefined,
    @Ctx() context: RequestContext,
  ): Promise<Gated<ResolvedProfile> | undefined> {
    return loadProfile(context, customerId, consentPurpose ?? undefined);
  }

  @Live(() => Event, 'event', 'id', 'An event now, and whenever it changes.')
  @RequiresScopes(['events:read'])
  async eventChanged(@Arg('id', () => ID) id: string, @Ctx() context: RequestContext): Promise<Event> {
    return found(await loadEvent(context, id), 'event');
  }

  @Live(
    () => WebhookDelivery,
    'delivery',
    'endpointId',
    'Each message to an endpoint whenever it changes; null with `extensions.readAgain` when changes were missed.',
  )
  @RequiresScopes(['webhooks:read'])
  async webhookDeliveryChanged(
    @Arg('endpointId', () => ID) endpointId: string,
    @Root() { changed }: Hint,
    @Ctx() context: RequestContext,
  ): Promise<WebhookDelivery | null> {
    const delivery = changed === undefined ? undefined : await loadWebhookDelivery(context, changed);
    if (delivery === undefined) found(await loadWebhookEndpoint(context, endpointId), 'webhook endpoint');
    return delivery?.endpointId === endpointId ? delivery : null;
  }
}
