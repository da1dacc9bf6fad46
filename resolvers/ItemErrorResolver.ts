import { Ctx, FieldResolver, Resolver, Root } from 'type-graphql';
import { ItemError, ItemErrorDetail } from '../schema/types/Claim.js';
import type { RequestContext } from '../src/access/RequestContext.js';
import { camelCase } from '../src/domain/snakeCase.js';
import { documentationUrl } from '../src/errors.js';

/**
 * Results of batches are stored without addresses, as the base URL may have changed when they are replayed.
 */
function explains(type: new () => { code: string }): new () => object {
  @Resolver(() => type)
  class CodeResolver {
    @FieldResolver(() => String, { description: 'The page that explains the code.' })
    documentationUrl(@Root() { code }: { code: string }, @Ctx() { services }: RequestContext): string {
      return documentationUrl(services.config.baseUrl, code);
    }
  }
  return CodeResolver;
}

export const ItemErrorResolver = explains(ItemError);

@Resolver(() => ItemErrorDetail)
export class ItemErrorDetailResolver extends explains(ItemErrorDetail) {
  /** It is stored in REST spelling. All its names are the schema's: GraphQL refuses others before. */
  @FieldResolver()
  field(@Root() { field }: ItemErrorDetail, @Ctx() { decided }: RequestContext): string | null {
    return field && decided === undefined ? camelCase(field) : (field ?? null);
  }
}
