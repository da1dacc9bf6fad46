import { Ctx, Resolver, Root } from 'type-graphql';
import { Consent, RequiresScopes } from '../schema/directives.js';
import { FactExplanation } from '../schema/types/FactExplanation.js';
import { ResolvedProfileFact } from '../schema/types/ResolvedProfile.js';
import type { Gated } from '../src/access/consentGate.js';
import type { RequestContext } from '../src/access/RequestContext.js';
import { found } from './found.js';
import { NullableField } from './fields.js';
import { loadExplanation } from '../src/loaders/loadExplanations.js';

@Resolver(() => ResolvedProfileFact)
export class FactResolver {
  @NullableField(
    () => FactExplanation,
    'How the confidence came about; null for facts that were resolved before explanations were kept.',
  )
  @RequiresScopes(['profile:read'])
  @Consent()
  async explanation(
    @Root() fact: ResolvedProfileFact,
    @Ctx() context: RequestContext,
  ): Promise<Gated<FactExplanation | null>> {
    const { attribute, consentPurpose: purpose, evidence } = fact;
    const customerId = evidence[0]?.customerId ?? '';
    return found(await loadExplanation(context, { customerId, purpose, attribute }), 'fact');
  }
}
