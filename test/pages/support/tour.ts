import type { Page } from 'playwright-core';
import type { PagesHarness } from './PagesHarness.js';
import { createAccount } from '../../../src/accounts/createAccount.js';
import { mailTo } from './mailbox.js';
import { PASSWORD } from './PagesHarness.js';

/** Texts that lead through the pages, by language. */
export interface Words {
  continue: string;
  createAccount: string;
  submitAccount: string;
  email: string;
  password: string;
  signIn: string;
  approve: string;
  decline: string;
  linkAccounts: string;
  examples: string;
  code: string;
  confirm: string;
  provesAddress: string;
  sendLink: string;
  setsPassword: string;
  newPassword: string;
  setPassword: string;
}

export const WORDS: Record<'en' | 'de', Words> = {
  en: {
    continue: 'Continue',
    createAccount: 'Create an account',
    submitAccount: 'Create account',
    email: 'E-mail address',
    password: 'Password',
    signIn: 'Sign in',
    approve: 'Approve what I ticked',
    decline: 'Decline everything',
    linkAccounts: 'Link your accounts',
    examples: 'Examples',
    code: 'Code from the mail',
    confirm: 'Confirm',
    provesAddress: 'confirms your e-mail address',
    sendLink: 'Send the link',
    setsPassword: 'Set a new password',
    newPassword: 'New password',
    setPassword: 'Set the password',
  },
  de: {
    continue: 'Weiter',
    createAccount: 'Konto anlegen',
    submitAccount: 'Konto anlegen',
    email: 'E-Mail-Adresse',
    password: 'Passwort',
    signIn: 'Anmelden',
    approve: 'Angekreuztem zustimmen',
    decline: 'Alles ablehnen',
    linkAccounts: 'Ihre Konten verknüpfen',
    examples: 'Beispiele',
    code: 'Code aus der E-Mail',
    confirm: 'Bestätigen',
    provesAddress: 'bestätigt Ihre E-Mail-Adresse',
    sendLink: 'Link schicken',
    setsPassword: 'Neues Passwort setzen',
    newPassword: 'Neues Passwort',
    setPassword: 'Passwort setzen',
  },
};

export type Look = (name: string, page: Page) => Promise<void>;

let people = 0;

/**
 * Opens a link, continues, creates an account and proves its address, up to the page where the person
 * decides. The account's address.
 */
export async function comeToDecide(page: Page, link: string): Promise<string> {
  const email = `maya${(people += 1)}@example.org`;
  await page.goto(link);
  await button(page, WORDS.en.continue);
  await page.getByRole('link', { name: WORDS.en.createAccount }).click();
  await page.getByLabel(WORDS.en.email).fill(email);
  await page.getByLabel(WORDS.en.password).fill(PASSWORD);
  await button(page, WORDS.en.submitAccount);
  await page.getByLabel('Code from the mail').waitFor();
  await proveAddress(page, email, 'confirms your e-mail address', 'Confirm');
  await decisionShown(page);
  return email;
}

/** Waits for the page where the person decides. */
export async function decisionShown(page: Page): Promise<void> {
  await page.getByRole('heading', { name: /^What may .* do\?$/ }).waitFor();
}

/** Comes to that page as a person who has an account with a proved address. The account's address. */
export async function signInToDecide(harness: PagesHarness, page: Page, link: string): Promise<string> {
  const { email } = await harness.newAccount();
  await page.goto(link);
  await button(page, WORDS.en.continue);
  await page.getByLabel(WORDS.en.email).fill(email);
  await page.getByLabel(WORDS.en.password).fill(PASSWORD);
  await button(page, WORDS.en.signIn);
  await decisionShown(page);
  return email;
}

/** Opens the link that was mailed to a new account, in the browser that is signed in to it. */
export async function proveAddress(page: Page, email: string, words: string, confirm: string): Promise<void> {
  const { link } = await mailTo(new URL(page.url()).origin, email, words);
  await page.goto(link ?? '');
  await button(page, confirm);
}

/** Leads one person to the home page and every page of the connection, and shows each to `look`. */
export async function tourConnect(
  harness: PagesHarness,
  page: Page,
  words: Words,
  look: Look,
): Promise<void> {
  await page.goto(harness.baseUrl);
  await look('home', page);
  await lookAtLinks(harness, page, words, look);
  const first = await harness.newSession({ redirect_uri: undefined });
  await page.goto(first.connection_url);
  await look('connect-start', page);
  await button(page, words.continue);
  const email = await lookAtSignIn(page, words, look);
  await look('connect-decide-unproved', page);
  await page.getByLabel(words.linkAccounts).check();
  await button(page, words.approve);
  await look('connect-decide-code-missing', page);
  await lookAtProving(harness, page, words, email, look);
  await look('connect-decide', page);
  await button(page, words.approve);
  await look('connect-decide-nothing-ticked', page);
  await page.getByLabel(words.linkAccounts).check();
  await button(page, words.approve);
  await look('connect-approved', page);
  await page.goto(`${harness.baseUrl}/connections`);
  await look('connections-waiting', page);
  await harness.recordConsent(first.session.id, ['account_linking']);
  await lookAtConnections(harness, page, words, look);
  await lookAtSeven(harness, page, words, look);
  await lookAtEndings(harness, page, words, look);
}

/** Everything on the way to an account whose address is proved. */
async function lookAtProving(
  harness: PagesHarness,
  page: Page,
  words: Words,
  email: string,
  look: Look,
): Promise<void> {
  const asked = page.url().replace(/\/decision$/, '');
  await page.goto(`${harness.baseUrl}/verify-address`);
  await look('verify-address', page);
  await page.getByLabel(words.code).fill('000000');
  await button(page, words.confirm);
  await look('verify-address-refused', page);
  const { link } = await mailTo(harness.baseUrl, email, words.provesAddress);
  await page.goto(link ?? '');
  await look('verify-address-link', page);
  await button(page, words.confirm);
  await page.goto(`${harness.baseUrl}/dev/mailbox?to=${email}`);
  await look('mailbox', page);
  await page.goto(asked);
}

/** Asking for a link to set a new password, and the form behind it. */
export async function tourRecovery(
  harness: PagesHarness,
  page: Page,
  words: Words,
  look: Look,
): Promise<void> {
  const email = `forgetful${(people += 1)}@example.org`;
  await createAccount(harness.running.services.database, { email, password: PASSWORD }, new Date());
  await page.goto(`${harness.baseUrl}/forgot-password`);
  await look('forgot-password', page);
  await page.getByLabel(words.email).fill(email);
  await button(page, words.sendLink);
  await look('forgot-password-sent', page);
  const { link } = await mailTo(harness.baseUrl, email, words.setsPassword);
  await page.goto(link ?? '');
  await look('reset-password', page);
  await page.getByLabel(words.newPassword).fill(`${PASSWORD} indeed`);
  await button(page, words.setPassword);
  await page.goto(link ?? '');
  await look('reset-password-spent', page);
}

async function lookAtSignIn(page: Page, words: Words, look: Look): Promise<string> {
  await look('sign-in', page);
  await page.getByLabel(words.email).fill('nobody@example.org');
  await page.getByLabel(words.password).fill('wrong');
  await button(page, words.signIn);
  await look('sign-in-failed', page);
  await page.getByRole('link', { name: words.createAccount }).click();
  await look('sign-up', page);
  const email = `maya${(people += 1)}.lindqvist@example.org`;
  await page.getByLabel(words.email).fill(email);
  await page.getByLabel(words.password).fill('short');
  await button(page, words.submitAccount);
  await look('sign-up-refused', page);
  await page.getByLabel(words.password).fill(PASSWORD);
  await button(page, words.submitAccount);
  await page.getByLabel(words.code).waitFor();
  return email;
}

async function lookAtConnections(harness: PagesHarness, page: Page, words: Words, look: Look): Promise<void> {
  const partner = await harness.newPartner('Birch & Daughters Bookshop');
  const { session, connection_url: link } = await harness.newSession({ redirect_uri: undefined }, partner);
  await page.goto(link);
  await button(page, words.continue);
  for (const box of await page.getByRole('checkbox').all()) await box.check();
  await button(page, words.approve);
  await harness.recordConsent(session.id, ['account_linking', 'personalization', 'analytics'], partner);
  await page.goto(`${harness.baseUrl}/connections`);
  await page.locator('details').first().locator('summary').click();
  await look('connections', page);
  await page.locator('form[action="/connections/withdraw"] button').first().click();
  await look('connections-withdrawn', page);
  await page.goto(`${harness.baseUrl}/account`);
  await look('account', page);
  await page.locator('#password').fill('too short');
  await page.locator('form[action="/account/password"] button').click();
  await look('account-refused', page);
  await page.goto(`${harness.baseUrl}/account/delete`);
  await look('account-delete', page);
}

async function lookAtLinks(harness: PagesHarness, page: Page, words: Words, look: Look): Promise<void> {
  const { session, connection_url: link } = await harness.newSession();
  await page.goto(`${link}x`);
  await look('connect-invalid', page);
  await page.goto(`${harness.baseUrl}/connect/${session.id}`);
  await look('connect-foreign', page);
  await page.goto(link);
  await button(page, words.continue);
  await page.context().clearCookies();
  await page.goto(link);
  await look('connect-used', page);
  await page.goto(`${harness.baseUrl}/connections/none`);
  await look('not-found', page);
}

/** All seven purposes, which must be readable on two screens of a phone. */
async function lookAtSeven(harness: PagesHarness, page: Page, words: Words, look: Look): Promise<void> {
  const seven = [
    'account_linking',
    'personalization',
    'analytics',
    'support',
    'event_enrichment',
    'profile_resolution',
    'measurement',
  ];
  const { connection_url: link } = await harness.newSession({ requested_purposes: seven });
  await page.goto(link);
  await button(page, words.continue);
  await look('connect-decide-seven', page);
}

async function lookAtEndings(harness: PagesHarness, page: Page, words: Words, look: Look): Promise<void> {
  const declined = await harness.newSession({ redirect_uri: undefined });
  await page.goto(declined.connection_url);
  await button(page, words.continue);
  await button(page, words.decline);
  await look('connect-declined', page);
  const canceled = await harness.newSession();
  await harness.cancel(canceled.session.id);
  await page.goto(canceled.connection_url);
  await look('connect-canceled', page);
  const expired = await harness.newSession({ expires_in: 60 });
  harness.passSeconds(61);
  await page.goto(expired.connection_url);
  await look('connect-expired', page);
}

async function button(page: Page, name: string): Promise<void> {
  await page.getByRole('button', { name, exact: true }).click();
}
