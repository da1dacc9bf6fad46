import { Arg, Args, Ctx, ID, Resolver, Root } from 'type-graphql';
import type { Connection } from '../schema/connection.js';
import { RequiresScopes } from '../schema/directives.js';
import { WebhookDeliveryStatus } from '../schema/enums.js';
import {
  RecoverWebhooksInput,
  RegisterWebhookEndpointInput,
  UpdateWebhookEndpointInput,
} from '../schema/inputs/WebhookInput.js';
import { DeletedPayload } from '../schema/types/Customer.js';
import {
  RecoverWebhooksPayload,
  WebhookDelivery,
  WebhookDeliveryConnection,
  WebhookDeliveryPayload,
  WebhookEndpoint,
  WebhookEndpointConnection,
  WebhookEndpointSecretPayload,
  WebhookEventTypeConnection,
} from '../schema/types/Webhook.js';
import type { WebhookEventType } from '../schema/types/Webhook.js';
import { PageArgs } from '../schema/PageArgs.js';
import type { RequestContext } from '../src/access/RequestContext.js';
import { deleteWebhookEndpoint } from '../src/commands/deleteWebhookEndpoint.js';
import { runCommand } from '../src/commands/runCommand.js';
import { recoverWebhooks } from '../src/commands/recoverWebhooks.js';
import { redeliverWebhook } from '../src/commands/redeliverWebhook.js';
import { registerWebhookEndpoint } from '../src/commands/registerWebhookEndpoint.js';
import type { WebhookTools } from '../src/commands/registerWebhookEndpoint.js';
import { rotateWebhookSecret } from '../src/commands/rotateWebhookSecret.js';
import { testWebhookEndpoint } from '../src/commands/testWebhookEndpoint.js';
import { updateWebhookEndpoint } from '../src/commands/updateWebhookEndpoint.js';
import { receiverPolicy } from '../src/domain/webhooks/receiverPolicy.js';
import { listWebhookDeliveries, loadWebhookDelivery } from '../src/loaders/listWebhookDeliveries.js';
import { listWebhookEndpoints, loadWebhookEndpoint } from '../src/loaders/listWebhookEndpoints.js';
import { listWebhookEventTypes } from '../src/loaders/listWebhookEventTypes.js';
import { found } from './found.js';
import { Command } from './Command.js';
import { NonNullQuery, NullableField, NullableQuery, Optional } from './fields.js';

@Resolver(() => WebhookEndpoint)
export class WebhookResolver {
  @NullableQuery(() => WebhookEndpoint, 'A receiver of webhooks by its id.')
  @RequiresScopes(['webhooks:read'])
  async webhookEndpoint(
    @Arg('id', () => ID) id: string,
    @Ctx() context: RequestContext,
  ): Promise<WebhookEndpoint> {
    return found(await loadWebhookEndpoint(context, id), 'webhook endpoint');
  }

  @NonNullQuery(() => WebhookEndpointConnection, 'Receivers of the app, newest first.')
  @RequiresScopes(['webhooks:read'])
  webhookEndpoints(
    @Args(() => PageArgs) page: PageArgs,
    @Ctx() context: RequestContext,
  ): Promise<Connection<WebhookEndpoint>> {
    return listWebhookEndpoints(context, page);
  }

  @NullableQuery(() => WebhookDeliveryConnection, 'Messages to one endpoint, newest first.')
  @RequiresScopes(['webhooks:read'])
  async webhookDeliveries(
    @Arg('endpointId', () => ID) endpointId: string,
    @Optional('status', () => WebhookDeliveryStatus) status: string | undefined,
    @Args(() => PageArgs) page: PageArgs,
    @Ctx() context: RequestContext,
  ): Promise<Connection<WebhookDelivery>> {
    return found(
      await listWebhookDeliveries(context, endpointId, status ?? undefined, page),
      'webhook endpoint',
    );
  }

  @NullableQuery(() => WebhookDelivery, 'One message to one endpoint.')
  @RequiresScopes(['webhooks:read'])
  async webhookDelivery(
    @Arg('id', () => ID) id: string,
    @Ctx() context: RequestContext,
  ): Promise<WebhookDelivery> {
    return found(await loadWebhookDelivery(context, id), 'webhook delivery');
  }

  @NonNullQuery(
    () => WebhookEventTypeConnection,
    'Every kind of change that webhooks report, with its JSON Schema, in the order of the catalogue.',
  )
  @RequiresScopes(['webhooks:read'])
  webhookEventTypes(
    @Args(() => PageArgs) page: PageArgs,
    @Ctx() context: RequestContext,
  ): Connection<WebhookEventType> {
    return listWebhookEventTypes(context, page);
  }

  @Command(() => WebhookEndpointSecretPayload, 'Registers a receiver. The secret is shown once.')
  @RequiresScopes(['webhooks:write'])
  registerWebhookEndpoint(
    @Arg('input', () => RegisterWebhookEndpointInput) input: RegisterWebhookEndpointInput,
    @Ctx() context: RequestContext,
  ): Promise<WebhookEndpointSecretPayload> {
    return runCommand(
      context,
      (tx, command) => registerWebhookEndpoint(tx, command, input, toolsOf(context)),
      {
        secret: true,
      },
    );
  }

  @Command(() => WebhookEndpoint, 'Changes a receiver.')
  @RequiresScopes(['webhooks:write'])
  updateWebhookEndpoint(
    @Arg('id', () => ID) id: string,
    @Arg('input', () => UpdateWebhookEndpointInput) input: UpdateWebhookEndpointInput,
    @Ctx() context: RequestContext,
  ): Promise<WebhookEndpoint> {
    return runCommand(context, (tx, command) =>
      updateWebhookEndpoint(tx, command, id, input, toolsOf(context)),
    );
  }

  @Command(() => DeletedPayload, 'Removes a receiver with its deliveries.')
  @RequiresScopes(['webhooks:write'])
  deleteWebhookEndpoint(
    @Arg('id', () => ID) id: string,
    @Ctx() context: RequestContext,
  ): Promise<DeletedPayload> {
    return runCommand(context, (tx, command) => deleteWebhookEndpoint(tx, command, id));
  }

  @Command(() => WebhookEndpointSecretPayload, 'A new secret; the old one signs too for 24 hours.')
  @RequiresScopes(['webhooks:write'])
  rotateWebhookSecret(
    @Arg('id', () => ID) id: string,
    @Ctx() context: RequestContext,
  ): Promise<WebhookEndpointSecretPayload> {
    return runCommand(context, (tx, command) => rotateWebhookSecret(tx, command, id, toolsOf(context)), {
      secret: true,
    });
  }

  @Command(() => WebhookDeliveryPayload, 'Sends `webhook.test` to one receiver.')
  @RequiresScopes(['webhooks:write'])
  testWebhookEndpoint(
    @Arg('id', () => ID) id: string,
    @Ctx() context: RequestContext,
  ): Promise<WebhookDeliveryPayload> {
    return runCommand(context, (tx, command) => testWebhookEndpoint(tx, command, id));
  }

  @Command(
    () => WebhookDeliveryPayload,
    'Sends a delivery again at once, under the same `webhook-id`, with the whole schedule of attempts anew. An attempt that is under way is its first.',
  )
  @RequiresScopes(['webhooks:write'])
  redeliverWebhook(
    @Arg('id', () => ID, { description: 'The endpoint.' }) id: string,
    @Arg('deliveryId', () => ID) deliveryId: string,
    @Ctx() context: RequestContext,
  ): Promise<WebhookDeliveryPayload> {
    return runCommand(context, (tx, command) => redeliverWebhook(tx, command, id, deliveryId));
  }

  @Command(() => RecoverWebhooksPayload, 'Sends again all that failed since a time.')
  @RequiresScopes(['webhooks:write'])
  recoverWebhooks(
    @Arg('id', () => ID) id: string,
    @Arg('input', () => RecoverWebhooksInput) input: RecoverWebhooksInput,
    @Ctx() context: RequestContext,
  ): Promise<RecoverWebhooksPayload> {
    return runCommand(context, (tx, command) => recoverWebhooks(tx, command, id, input));
  }

  @NullableField(() => WebhookDeliveryConnection, 'Messages to this endpoint, newest first.')
  @RequiresScopes(['webhooks:read'])
  async deliveries(
    @Root() endpoint: WebhookEndpoint,
    @Optional('status', () => WebhookDeliveryStatus) status: string | undefined,
    @Args(() => PageArgs) page: PageArgs,
    @Ctx() context: RequestContext,
  ): Promise<Connection<WebhookDelivery>> {
    return found(
      await listWebhookDeliveries(context, endpoint.id, status ?? undefined, page),
      'webhook endpoint',
    );
  }
}

function toolsOf({ services }: RequestContext): WebhookTools {
  return { secrets: services.secrets, policy: receiverPolicy(services.config) };
}
