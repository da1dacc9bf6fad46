import { InputType } from 'type-graphql';
import { Constrained } from '../../src/access/constrained.js';
import { eventTypes, namedReceiver, receiverUrl } from '../checks.js';
import { WebhookEndpointStatus } from '../enums.js';
import { NonNull, Nullable } from '../fields.js';
import { DateTimeScalar } from '../scalars.js';

@InputType({ description: 'A receiver to register.' })
@Constrained(namedReceiver)
export class RegisterWebhookEndpointInput {
  @Nullable(() => String, "Absent: the app's `webhookDefaultUrl`.", receiverUrl) url?: string | null;

  @NonNull(() => [String], 'Names from `webhookEventTypes`, or `*` for all.', eventTypes)
  enabledEvents: string[];
}

@InputType({ description: 'What to change of a receiver; what is absent stays.' })
export class UpdateWebhookEndpointInput {
  @Nullable(() => String, receiverUrl) url?: string | null;
  @Nullable(() => [String], 'Event types to be sent, `*` for all.', eventTypes) enabledEvents?:
    string[] | null;

  @Nullable(() => WebhookEndpointStatus, 'Enabling a disabled endpoint forgets its failures.')
  status?: 'active' | 'disabled' | null;
}

@InputType({ description: 'Which failed deliveries to send again.' })
export class RecoverWebhooksInput {
  @NonNull(() => DateTimeScalar, 'Those created at this time or later.') since: string;
}
