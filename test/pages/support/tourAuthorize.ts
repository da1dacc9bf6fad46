import type { Page } from 'playwright-core';
import { addMember } from '../../../src/oauth/addMember.js';
import { createAccount } from '../../../src/oauth/createAccount.js';
import type { PagesWorld } from './PagesWorld.js';
import { PASSWORD } from './PagesWorld.js';
import type { Look } from './tour.js';
import { WORDS } from './tour.js';

const OTHER_ACCOUNT = { en: 'Use another account', de: 'Anderes Konto verwenden' };

let operators = 0;

/**
 * An account that an operator made, a member of the partner's app when scopes are given; its e-mail address.
 */
export async function newOperator(world: PagesWorld, scopes?: string[]): Promise<string> {
  const email = `operator${(operators += 1)}@acme.example`;
  const { database } = world.running.services;
  await createAccount(database, { email, password: PASSWORD }, new Date());
  if (scopes !== undefined)
    await addMember(database, { appId: world.partner.appId, email, scopes }, new Date());
  return email;
}

/** Leads one person to every page of an authorization and shows each to `look`. */
export async function tourAuthorize(
  world: PagesWorld,
  page: Page,
  language: 'en' | 'de',
  look: Look,
): Promise<void> {
  const [stranger, member] = [await newOperator(world), await newOperator(world, SCOPES)];
  await page.goto(requestTo(world, world.redirectUri));
  await look('authorize-sign-in', page);
  await signIn(page, language, stranger, 'not the password');
  await look('authorize-sign-in-failed', page);
  await signIn(page, language, stranger, PASSWORD);
  await look('authorize-not-a-member', page);
  await page.getByRole('button', { name: OTHER_ACCOUNT[language] }).click();
  await signIn(page, language, member, PASSWORD);
  await look('authorize', page);
  await page.goto(requestTo(world, 'https://evil.example/'));
  await look('authorize-wrong-request', page);
  await page.goto(`${world.baseUrl}/oauth/interaction/none`);
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
function requestTo(world: PagesWorld, redirectUri: string): string {
  const parameters = {
    client_id: world.partner.appId,
    redirect_uri: redirectUri,
    response_type: 'code',
    scope: SCOPES.join(' '),
    code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
    code_challenge_method: 'S256',
  };
  return `${world.baseUrl}/oauth/authorize?${new URLSearchParams(parameters).toString()}`;
}

async function signIn(page: Page, language: 'en' | 'de', email: string, password: string): Promise<void> {
  const words = WORDS[language];
  await page.getByLabel(words.email).fill(email);
  await page.getByLabel(words.password).fill(password);
  await page.getByRole('button', { name: words.signIn, exact: true }).click();
}
