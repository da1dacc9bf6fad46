import { Arg, Args, Ctx, FieldResolver, ID, Resolver, Root } from 'type-graphql';
import type { Connection } from '../schema/connection.js';
import { Consent, RequiresScopes } from '../schema/directives.js';
import { ConsentPurpose, IntentCategoryType } from '../schema/enums.js';

import { Customer } from '../schema/types/Customer.js';
import type { Intent } from '../schema/types/Intent.js';
import { IntentConnection } from '../schema/types/Intent.js';
import type { Gated } from '../src/access/consentGate.js';
import { PageArgs } from '../schema/PageArgs.js';
import type { RequestContext } from '../src/access/RequestContext.js';
import type { IntentCategory } from '../src/domain/intents/IntentRules.js';
import type { Purpose } from '../src/domain/purposes.js';
import { listIntents } from '../src/loaders/listIntents.js';
import { NullableQuery, Optional } from './fields.js';
import { given } from './given.js';

@Resolver(() => Customer)
export class IntentResolver {
  @NullableQuery(() => IntentConnection, "What a customer's events say, newest first.")
  @RequiresScopes(['intents:read'])
  @Consent({ argument: 'consentPurpose' })
  intents(
    @Arg('customerId', () => ID) customerId: string,
    @Optional('consentPurpose', () => ConsentPurpose) consentPurpose: Purpose | undefined,
    @Optional('category', () => IntentCategoryType) category: IntentCategory | undefined,
    @Args(() => PageArgs) page: PageArgs,
    @Ctx() context: RequestContext,
  ): Promise<Gated<Connection<Intent>> | undefined> {
    return listIntents(context, customerId, given({ purpose: consentPurpose, category }), page);
  }

  @FieldResolver(() => IntentConnection, {
    name: 'intents',
    nullable: true,
    description: 'Intents, newest first.',
  })
  @RequiresScopes(['intents:read'])
  @Consent({ argument: 'consentPurpose' })
  customerIntents(
    @Root() customer: Customer,
    @Optional('consentPurpose', () => ConsentPurpose) consentPurpose: Purpose | undefined,
    @Optional('category', () => IntentCategoryType) category: IntentCategory | undefined,
    @Args(() => PageArgs) page: PageArgs,
    @Ctx() context: RequestContext,
  ): Promise<Gated<Connection<Intent>> | undefined> {
    return listIntents(context, customer.id, given({ purpose: consentPurpose, category }), page);
  }
}
