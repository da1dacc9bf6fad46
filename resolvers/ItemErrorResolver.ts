import { Ctx, FieldResolver, Resolver, Root } from 'type-graphql';
import { ItemError } from '../schema/types/Claim.js';
import type { RequestContext } from '../src/access/RequestContext.js';
import { documentationUrl } from '../src/errors.js';

/** Results of batches are stored without addresses: this service may be found elsewhere when they replay. */
@Resolver(() => ItemError)
export class ItemErrorResolver {
  @FieldResolver(() => String, { description: 'The page that explains the code.' })
  documentationUrl(@Root() { code }: ItemError, @Ctx() { services }: RequestContext): string {
    return documentationUrl(services.config.baseUrl, code);
  }
}
