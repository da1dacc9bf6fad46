import { randomUUID } from 'node:crypto';
import { createAccount } from '../../src/accounts/createAccount.js';
import { Browser } from '../oauth/Browser.js';
import type { TestPartner } from './TestPartner.js';
import type { TestService } from './TestService.js';

export interface LinkedPerson {
  accountId: string;
  email: string;
  password: string;
  customerId: string;
  receiptId: string;
}

/** A person with an account that is linked to a customer of the app, whose two purposes are granted. */
export async function linkedPerson(service: TestService, partner: TestPartner): Promise<LinkedPerson> {
  const credentials = {
    email: `person-${randomUUID()}@people.example`,
    password: 'gravel orchid teapot nine',
  };
  const { accountId } = await createAccount(service.services.database, credentials, new Date());
  const customer = (await partner.rest('POST', '/v1/customers', { external_id: randomUUID() })).body.customer;
  const receipt = await partner.rest('POST', '/v1/consent-receipts', {
    customer_id: customer.id,
    purposes: ['personalization', 'analytics'],
    terms_version: '2026-11',
    privacy_policy_version: '7',
  });
  await service.sql(
    'INSERT INTO account_links (account_id, app_id, customer_id, linked_at) VALUES ($1, $2, $3, now())',
    [accountId, partner.appId, customer.id],
  );
  return { accountId, ...credentials, customerId: customer.id, receiptId: receipt.body.id };
}

/** Signs a person in at "My connections". */
export async function signInAt(
  url: string,
  person: LinkedPerson,
  browser = new Browser(url),
): Promise<Browser> {
  const form = await browser.open('/sign-in?return_to=%2Fconnections');
  const shown = await form.submit('/sign-in', { email: person.email, password: person.password });
  if (shown.path !== '/connections') throw new Error(`Signing in led to ${shown.path}: ${shown.status}`);
  return browser;
}
