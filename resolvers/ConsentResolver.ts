import { Arg, Args, Ctx, FieldResolver, ID, Resolver, Root } from 'type-graphql';
import type { Connection } from '../schema/connection.js';
import { RequiresScopes } from '../schema/directives.js';
import { CreateConsentReceiptInput, RevokeConsentReceiptInput } from '../schema/inputs/ConsentInput.js';
import {
  ConsentReceipt,
  ConsentReceiptConnection,
  EffectiveConsent,
  RevokeConsentReceiptPayload,
} from '../schema/types/Consent.js';
import { Customer } from '../schema/types/Customer.js';
import { PageArgs } from '../schema/PageArgs.js';
import type { RequestContext } from '../src/access/RequestContext.js';
import { CREATE_CONSENT_RECEIPT } from '../src/commands/createConsentReceipts.js';
import { runCommand } from '../src/commands/runCommand.js';
import { runGrouped } from '../src/commands/runGrouped.js';
import { lockReceipt, revokeConsentReceipt } from '../src/commands/revokeConsentReceipt.js';
import { RECEIPT_TYPE, receiptPayload } from '../src/domain/receiptPayload.js';
import { listReceipts, loadReceipt } from '../src/loaders/loadReceipts.js';
import { found } from './found.js';
import { Command } from './Command.js';
import { NonNullQuery, NullableField, NullableQuery, Optional } from './fields.js';
import { loadCustomerOf } from '../src/loaders/loadCustomers.js';
import { loadEffectiveConsent } from '../src/loaders/loadEffectiveConsents.js';

@Resolver(() => ConsentReceipt)
export class ConsentResolver {
  @NullableQuery(() => ConsentReceipt, 'A consent receipt by its id.')
  @RequiresScopes(['consent:read'])
  async consentReceipt(
    @Arg('id', () => ID) id: string,
    @Ctx() context: RequestContext,
  ): Promise<ConsentReceipt> {
    return found(await loadReceipt(context, id), 'consent receipt');
  }

  @NonNullQuery(() => ConsentReceiptConnection, 'Receipts of the app, or of one customer, newest first.')
  @RequiresScopes(['consent:read'])
  consentReceipts(
    @Optional('customerId', () => ID) customerId: string | undefined,
    @Args(() => PageArgs) page: PageArgs,
    @Ctx() context: RequestContext,
  ): Promise<Connection<ConsentReceipt>> {
    return listReceipts(context, customerId ?? undefined, page);
  }

  @NullableQuery(() => EffectiveConsent, 'What a customer grants now, over all receipts.')
  @RequiresScopes(['consent:read'])
  async effectiveConsent(
    @Arg('customerId', () => ID) customerId: string,
    @Ctx() context: RequestContext,
  ): Promise<EffectiveConsent> {
    return found(await loadEffectiveConsent(context, customerId), 'customer');
  }

  @Command(() => ConsentReceipt, 'Records that a person granted purposes.')
  @RequiresScopes(['consent:write'])
  createConsentReceipt(
    @Arg('input', () => CreateConsentReceiptInput) input: CreateConsentReceiptInput,
    @Ctx() context: RequestContext,
  ): Promise<ConsentReceipt> {
    return runGrouped(context, CREATE_CONSENT_RECEIPT, input);
  }

  @Command(() => RevokeConsentReceiptPayload, 'Withdraws purposes: closed for everybody when this answers.')
  @RequiresScopes(['consent:write'])
  revokeConsentReceipt(
    @Arg('id', () => ID) id: string,
    @Optional('input', () => RevokeConsentReceiptInput)
    input: RevokeConsentReceiptInput | undefined,
    @Ctx() context: RequestContext,
  ): Promise<RevokeConsentReceiptPayload> {
    return runCommand(
      context,
      (tx, command, locked) => revokeConsentReceipt(tx, command, id, input ?? {}, { locked }),
      { urgent: true, ahead: lockReceipt(id) },
    );
  }

  @FieldResolver(() => String, {
    description:
      'The receipt as a compact JWS (RFC 7515, ES256, `typ` `consent-receipt+jwt`), signed by the service; verifiable with the keys of /oauth/jwks.',
  })
  signedReceipt(@Root() receipt: ConsentReceipt, @Ctx() { services }: RequestContext): Promise<string> {
    return services.signJws(RECEIPT_TYPE, receiptPayload(receipt, services.config.baseUrl));
  }

  @NullableField(() => Customer)
  @RequiresScopes(['customers:read'])
  async customer(@Root() receipt: ConsentReceipt, @Ctx() context: RequestContext): Promise<Customer> {
    return found(await loadCustomerOf(context, receipt.customerId), 'customer');
  }
}
