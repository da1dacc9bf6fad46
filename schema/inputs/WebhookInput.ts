import { Field, InputType } from 'type-graphql';
import { Constrained } from '../../src/access/constrained.js';
import { WebhookEndpointStatus } from '../enums.js';
import { DateTimeScalar } from '../scalars.js';

@InputType({ description: 'A receiver to register.' })
export class RegisterWebhookEndpointInput {
  @Field(() => String, { nullable: true, description: "Absent: the app's `webhookDefaultUrl`." })
  @Constrained({ minLength: 1, maxLength: 2048 })
  url?: string | null;

  @Field(() => [String], { description: 'Names from `webhookEventTypes`, or `*` for all.' })
  @Constrained({ minItems: 1, maxItems: 50, minLength: 1, maxLength: 64 })
  enabledEvents: string[];
}

@InputType({ description: 'What to change of a receiver; what is absent stays.' })
export class UpdateWebhookEndpointInput {
  @Field(() => String, { nullable: true })
  @Constrained({ minLength: 1, maxLength: 2048 })
  url?: string | null;

  @Field(() => [String], { nullable: true })
  @Constrained({ minItems: 1, maxItems: 50, minLength: 1, maxLength: 64 })
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
