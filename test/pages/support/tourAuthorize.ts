import type { Page } from 'playwright-core';
import { addMember } from '../../../src/accounts/addMember.js';
import { createAccount } from '../../../src/accounts/createAccount.js';
import type { PagesHarness } from './PagesHarness.js';
import { PASSWORD } from './PagesHarness.js';
import type { Look } from './tour.js';
import { WORDS } from './tour.js';

const OTHER_ACCOUNT = { en: 'Use another account', de: 'Anderes Konto verwenden' };

let operators = 0;

/**
 * An account that an operator made, a member of the partner's app when scopes are given; its e-mail address.
 */
export async function newOperator(harness: PagesHarness, scopes?: string[]): Promise<string> {
  const email = `operator${(operators += 1)}@acme.example`;
  const { database } = harness.running.services;
  await createAccount(database, { email, password: PASSWORD }, new Date());
  if (scopes !== undefined)
    await addMember(database, { appId: harness.partner.appId, email, scopes }, new Date());
  return email;
}

/** Leads one person to every page of an authorization and shows each to `look`. */
export async function tourAuthorize(
  harness: PagesHarness,
  page: Page,
  language: 'en' | 'de',
  look: Look,
): Promise<void> {
  const [stranger, member] = [await newOperator(harness), await newOperator(harness, SCOPES)];
  await page.goto(requestTo(harness, harness.redirectUri));
  await look('authorize-sign-in', page);
  await signIn(page, language, stranger, 'not the password');
  await look('authorize-sign-in-failed', page);
  await signIn(page, language, stranger, PASSWORD);
  await look('authorize-not-a-member', page);
  await page.getByRole('button', { name: OTHER_ACCOUNT[language] }).click();
  await signIn(page, language, member, PASSWORD);
  await look('authorize', page);
  await page.goto(requestTo(harness, 'https://evil.example/'));
  await look('authorize-wrong-request', page);
  await page.goto(`${harness.baseUrl}/oauth/interaction/none`);
  await look('authorize-ended', page);
}

const SCOPES = [
  'customers:read',
  'consent:write',
  'profile:read',
  'profiles:read',
  'webhooks:write',
  'offline_access',
];

/** The challenge is the example of RFC 7636, appendix B. */
function requestTo(harness: PagesHarness, redirectUri: string): string {
  const parameters = {
    client_id: harness.partner.appId,
    redirect_uri: redirectUri,
    response_type: 'code',
    scope: SCOPES.join(' '),
    code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
    code_challenge_method: 'S256',
  };
  return `${harness.baseUrl}/oauth/authorize?${new URLSearchParams(parameters).toString()}`;
}

async function signIn(page: Page, language: 'en' | 'de', email: string, password: string): Promise<void> {
  const words = WORDS[language];
  await page.getByLabel(words.email).fill(email);
  await page.getByLabel(words.password).fill(password);
  await page.getByRole('button', { name: words.signIn, exact: true }).click();
}
