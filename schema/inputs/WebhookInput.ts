import { Field, InputType } from 'type-graphql';
import { Constrained } from '../../src/access/constrained.js';
import { eventTypes, receiverUrl } from '../checks.js';
import { WebhookEndpointStatus } from '../enums.js';
import { DateTimeScalar } from '../scalars.js';

@InputType({ description: 'A receiver to register.' })
export class RegisterWebhookEndpointInput {
  @Field(() => String, { nullable: true, description: "Absent: the app's `webhookDefaultUrl`." })
  @Constrained(receiverUrl)
  url?: string | null;

  @Field(() => [String], { description: 'Names from `webhookEventTypes`, or `*` for all.' })
  @Constrained(eventTypes)
  enabledEvents: string[];
}

@InputType({ description: 'What to change of a receiver; what is absent stays.' })
export class UpdateWebhookEndpointInput {
  @Field(() => String, { nullable: true })
  @Constrained(receiverUrl)
  url?: string | null;

  @Field(() => [String], { nullable: true })
  @Constrained(eventTypes)
  enabledEvents?: string[] | null;

  @Field(() => WebhookEndpointStatus, {
    nullable: true,
    description: 'Enabling a disabled endpoint forgets its failures.',
  })
  status?: 'active' | 'disabled' | null;
}

@InputType({ description: 'Which failed deliveries to send again.' })
export class RecoverWebhooksInput {
  @Field(() => DateTimeScalar, { description: 'Those created at this time or later.' })
  since: string;
}
