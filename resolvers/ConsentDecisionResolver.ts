import { Ctx, Resolver, Root } from 'type-graphql';
import { RequiresScopes } from '../schema/directives.js';
import { ConsentReceipt } from '../schema/types/Consent.js';
import { ConsentDecision } from '../schema/types/ConsentDecision.js';
import type { RequestContext } from '../src/access/RequestContext.js';
import { loadReceipt } from '../src/loaders/loadReceipts.js';
import { NullableField } from './fields.js';
import { found } from './found.js';

@Resolver(() => ConsentDecision)
export class ConsentDecisionResolver {
  @NullableField(() => ConsentReceipt, 'The receipt, as it is now.')
  @RequiresScopes(['consent:read'])
  async receipt(@Root() decision: ConsentDecision, @Ctx() context: RequestContext): Promise<ConsentReceipt> {
    return found(await loadReceipt(context, decision.receiptId), 'consent receipt');
  }
}
