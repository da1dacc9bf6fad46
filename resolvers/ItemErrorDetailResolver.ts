import { Ctx, FieldResolver, Resolver, Root } from 'type-graphql';
import { ItemErrorDetail } from '../schema/types/Claim.js';
import type { RequestContext } from '../src/access/RequestContext.js';
import { documentationUrl } from '../src/errors.js';

@Resolver(() => ItemErrorDetail)
export class ItemErrorDetailResolver {
  @FieldResolver(() => String, { description: 'The page that explains the code.' })
  documentationUrl(@Root() { code }: ItemErrorDetail, @Ctx() { services }: RequestContext): string {
    return documentationUrl(services.config.baseUrl, code);
  }
}
