import { Arg, Args, Ctx, FieldResolver, ID, Query, Resolver, Root } from 'type-graphql';
import { ConsentPurpose } from '../schema/enums.js';
import type { Connection } from '../schema/connection.js';
import { Consent, RequiresScopes } from '../schema/directives.js';
import { ClaimConnection } from '../schema/types/Claim.js';
import type { Claim } from '../schema/types/Claim.js';
import { Customer } from '../schema/types/Customer.js';
import { PurposeGate } from '../schema/types/PurposeGate.js';
import { ResolvedProfile } from '../schema/types/ResolvedProfile.js';
import type { Gated } from '../src/access/consentGate.js';
import { PageArgs } from '../schema/PageArgs.js';
import type { RequestContext } from '../src/access/RequestContext.js';
import type { Purpose } from '../src/domain/purposes.js';
import { listClaims } from '../src/loaders/listClaims.js';
import { loadManyProfiles } from '../src/loaders/loadManyProfiles.js';
import { found } from './found.js';
import { NullableField, NullableQuery, Optional } from './fields.js';
import { loadGatesOf } from '../src/loaders/loadGates.js';
import { loadCustomerOf } from '../src/loaders/loadCustomers.js';
import { loadProfile } from '../src/loaders/loadProfiles.js';

@Resolver(() => ResolvedProfile)
export class ProfileResolver {
  @NullableQuery(() => ResolvedProfile, 'The facts of a purpose, or of every purpose granted now.')
  @RequiresScopes(['profile:read'])
  @Consent({ argument: 'consentPurpose' })
  resolvedProfile(
    @Arg('customerId', () => ID) customerId: string,
    @Optional('consentPurpose', () => ConsentPurpose) consentPurpose: Purpose | undefined,
    @Ctx() context: RequestContext,
  ): Promise<Gated<ResolvedProfile> | undefined> {
    return loadProfile(context, customerId, consentPurpose ?? undefined);
  }

  @Query(() => [ResolvedProfile], {
    nullable: 'items',
    description: 'Profiles of up to 100 customers, in the order asked; null where one is denied or unknown.',
  })
  @RequiresScopes(['profile:read', 'profiles:read'])
  @Consent({ argument: 'consentPurpose' })
  profiles(
    @Arg('customerIds', () => [ID], { description: 'At most 100 customers.' }) customerIds: string[],
    @Optional('consentPurpose', () => ConsentPurpose) consentPurpose: Purpose | undefined,
    @Ctx() context: RequestContext,
  ): Promise<(Gated<ResolvedProfile> | Error | undefined)[]> {
    return loadManyProfiles(context, customerIds, consentPurpose ?? undefined);
  }

  @NullableQuery(() => ClaimConnection, 'Claims as they were observed, newest accepted first.')
  @RequiresScopes(['claims:read'])
  @Consent({ argument: 'consentPurpose' })
  claims(
    @Arg('customerId', () => ID) customerId: string,
    @Optional('consentPurpose', () => ConsentPurpose) consentPurpose: Purpose | undefined,
    @Args(() => PageArgs) page: PageArgs,
    @Ctx() context: RequestContext,
  ): Promise<Gated<Connection<Claim>> | undefined> {
    return listClaims(context, customerId, consentPurpose ?? undefined, page);
  }

  @FieldResolver(() => [PurposeGate], {
    description:
      'Which purposes may be read now, and for those that are shut or empty the gate that decided.',
  })
  @RequiresScopes(['profile:read', 'consent:read'])
  async gates(@Root() profile: ResolvedProfile, @Ctx() context: RequestContext): Promise<PurposeGate[]> {
    return found(await loadGatesOf(context, profile.customerId), 'customer');
  }

  @NullableField(() => Customer)
  @RequiresScopes(['customers:read'])
  async customer(@Root() profile: ResolvedProfile, @Ctx() context: RequestContext): Promise<Customer> {
    return found(await loadCustomerOf(context, profile.customerId), 'customer');
  }
}
