import { Arg, Args, Ctx, ID, Resolver, Root } from 'type-graphql';
import { ConsentPurpose, CustomerOrder as CustomerOrderType } from '../schema/enums.js';
import type { CustomerOrder } from '../src/domain/listOrder.js';
import { DateTimeScalar } from '../schema/scalars.js';
import type { Connection } from '../schema/connection.js';
import { Consent, RequiresScopes } from '../schema/directives.js';
import { CreateCustomerInput, UpdateCustomerInput } from '../schema/inputs/CustomerInput.js';
import { ClaimConnection } from '../schema/types/Claim.js';
import type { Claim } from '../schema/types/Claim.js';
import { ConnectionSessionConnection } from '../schema/types/ConnectionSession.js';
import type { ConnectionSession } from '../schema/types/ConnectionSession.js';
import { ConsentReceiptConnection, EffectiveConsent } from '../schema/types/Consent.js';
import type { ConsentReceipt } from '../schema/types/Consent.js';
import { ConsentDecisionConnection } from '../schema/types/ConsentDecision.js';
import type { ConsentDecision } from '../schema/types/ConsentDecision.js';
import {
  CreateCustomerPayload,
  Customer,
  CustomerConnection,
  DeletedPayload,
} from '../schema/types/Customer.js';
import { ResolvedProfile } from '../schema/types/ResolvedProfile.js';
import { requireScopes } from '../src/access/FieldAccess.js';
import type { Gated } from '../src/access/consentGate.js';
import { PageArgs } from '../schema/PageArgs.js';
import type { RequestContext } from '../src/access/RequestContext.js';
import { CREATE_CUSTOMER } from '../src/commands/createCustomer.js';
import { deleteCustomer } from '../src/commands/deleteCustomer.js';
import { runCommand } from '../src/commands/runCommand.js';
import { runGrouped } from '../src/commands/runGrouped.js';
import { updateCustomer } from '../src/commands/updateCustomer.js';
import type { Purpose } from '../src/domain/purposes.js';
import { listConsentDecisions } from '../src/loaders/listConsentDecisions.js';
import { listClaims } from '../src/loaders/listClaims.js';
import { listConnectionSessions } from '../src/loaders/listConnectionSessions.js';
import { listCustomers } from '../src/loaders/listCustomers.js';
import { listReceipts } from '../src/loaders/loadReceipts.js';
import { found } from './found.js';
import { given } from './given.js';
import { Command } from './Command.js';
import { NonNullQuery, NullableField, NullableQuery, Optional } from './fields.js';
import { loadProfileOf } from '../src/loaders/loadManyProfiles.js';
import { loadEffectiveConsent } from '../src/loaders/loadEffectiveConsents.js';
import { loadCustomer } from '../src/loaders/loadCustomers.js';

@Resolver(() => Customer)
export class CustomerResolver {
  @NullableQuery(() => Customer, 'A customer by its id.')
  @RequiresScopes(['customers:read'])
  async customer(@Arg('id', () => ID) id: string, @Ctx() context: RequestContext): Promise<Customer> {
    return found(await loadCustomer(context, id), 'customer');
  }

  @NonNullQuery(
    () => CustomerConnection,
    'Customers of the app that meet every filter given, in the order asked for.',
  )
  @RequiresScopes(['customers:read'])
  customers(
    @Optional('externalId', () => String, "The one customer of the partner's identifier.")
    externalId: string | undefined,
    @Optional('externalIdPrefix', () => String, 'What `externalId` begins with, case included.')
    externalIdPrefix: string | undefined,
    @Optional('createdAfter', () => DateTimeScalar, 'Created later than this, not at it.')
    createdAfter: string | undefined,
    @Optional('createdBefore', () => DateTimeScalar, 'Created earlier than this, not at it.')
    createdBefore: string | undefined,
    @Optional(
      'consentPurpose',
      () => ConsentPurpose,
      'The purpose is granted now and allowed to the app. Needs `consent:read` too.',
    )
    consentPurpose: Purpose | undefined,
    @Optional('order', () => CustomerOrderType, 'By default newest first.')
    order: CustomerOrder | undefined,
    @Args(() => PageArgs) page: PageArgs,
    @Ctx() context: RequestContext,
  ): Promise<Connection<Customer>> {
    if (consentPurpose) requireScopes(context.caller, 'consent:read');
    return listCustomers(
      context,
      given({ externalId, externalIdPrefix, createdAfter, createdBefore, consentPurpose }),
      { ...page, order },
    );
  }

  @Command(() => CreateCustomerPayload, 'Creates or updates the customer of an external id.')
  @RequiresScopes(['customers:write'])
  createCustomer(
    @Arg('input', () => CreateCustomerInput) input: CreateCustomerInput,
    @Ctx() context: RequestContext,
  ): Promise<CreateCustomerPayload> {
    return runGrouped(context, CREATE_CUSTOMER, input);
  }

  @Command(() => Customer, 'Applies a merge patch (RFC 7386).')
  @RequiresScopes(['customers:write'])
  updateCustomer(
    @Arg('id', () => ID) id: string,
    @Arg('input', () => UpdateCustomerInput) input: UpdateCustomerInput,
    @Ctx() context: RequestContext,
  ): Promise<Customer> {
    return runCommand(context, (tx, command) => updateCustomer(tx, command, id, input), {
      customerOf: (customer) => customer.id,
    });
  }

  @Command(() => DeletedPayload, 'Erases the customer and all that hangs on it.')
  @RequiresScopes(['customers:write'])
  deleteCustomer(@Arg('id', () => ID) id: string, @Ctx() context: RequestContext): Promise<DeletedPayload> {
    return runCommand(context, (tx, command) => deleteCustomer(tx, command, id));
  }

  @NullableField(() => ConsentReceiptConnection, 'Consent receipts, newest first.')
  @RequiresScopes(['consent:read'])
  consentReceipts(
    @Root() customer: Customer,
    @Args(() => PageArgs) page: PageArgs,
    @Ctx() context: RequestContext,
  ): Promise<Connection<ConsentReceipt>> {
    return listReceipts(context, customer.id, page);
  }

  @NullableField(
    () => ConsentDecisionConnection,
    'Every grant and withdrawal, newest first, from the ledger.',
  )
  @RequiresScopes(['consent:read'])
  consentTimeline(
    @Root() customer: Customer,
    @Args(() => PageArgs) page: PageArgs,
    @Ctx() context: RequestContext,
  ): Promise<Connection<ConsentDecision>> {
    return listConsentDecisions(context, customer.id, page);
  }

  @NullableField(() => ConnectionSessionConnection, 'Connection sessions, newest first.')
  @RequiresScopes(['connections:read'])
  connectionSessions(
    @Root() customer: Customer,
    @Args(() => PageArgs) page: PageArgs,
    @Ctx() context: RequestContext,
  ): Promise<Connection<ConnectionSession>> {
    return listConnectionSessions(context, { customerId: customer.id }, page);
  }

  @NullableField(() => EffectiveConsent, 'What the customer grants now, over all receipts.')
  @RequiresScopes(['consent:read'])
  async effectiveConsent(
    @Root() customer: Customer,
    @Ctx() context: RequestContext,
  ): Promise<EffectiveConsent> {
    return found(await loadEffectiveConsent(context, customer.id), 'customer');
  }

  @NullableField(
    () => ResolvedProfile,
    "The customer's facts: of a purpose, or of every purpose granted now.",
  )
  @RequiresScopes(['profile:read'])
  @Consent({ argument: 'consentPurpose' })
  resolvedProfile(
    @Root() customer: Customer,
    @Optional('consentPurpose', () => ConsentPurpose) consentPurpose: Purpose | undefined,
    @Ctx() context: RequestContext,
  ): Promise<Gated<ResolvedProfile> | undefined> {
    return loadProfileOf(context, customer.id, consentPurpose ?? undefined);
  }

  @NullableField(() => ClaimConnection)
  @RequiresScopes(['claims:read'])
  @Consent({ argument: 'consentPurpose' })
  claims(
    @Root() customer: Customer,
    @Optional('consentPurpose', () => ConsentPurpose) consentPurpose: Purpose | undefined,
    @Args(() => PageArgs) page: PageArgs,
    @Ctx() context: RequestContext,
  ): Promise<Gated<Connection<Claim>> | undefined> {
    return listClaims(context, customer.id, consentPurpose ?? undefined, page);
  }
}
