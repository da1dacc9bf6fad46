import type { Page } from 'playwright-core';
import type { PagesWorld } from './PagesWorld.js';
import { PASSWORD } from './PagesWorld.js';

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
  },
};

export type Look = (name: string, page: Page) => Promise<void>;

let people = 0;

/** Opens a link, continues, and creates an account, up to the page where the person decides. The account's address. */
export async function comeToDecide(page: Page, link: string): Promise<string> {
  const email = `maya${(people += 1)}@example.org`;
  await page.goto(link);
  await button(page, WORDS.en.continue);
  await page.getByRole('link', { name: WORDS.en.createAccount }).click();
  await page.getByLabel(WORDS.en.email).fill(email);
  await page.getByLabel(WORDS.en.password).fill(PASSWORD);
  await button(page, WORDS.en.submitAccount);
  await page.getByRole('heading', { name: /^What may .* do\?$/ }).waitFor();
  return email;
}

/** Leads one person to every page of the connection and shows each to `look`. */
export async function tourConnect(world: PagesWorld, page: Page, words: Words, look: Look): Promise<void> {
  await lookAtLinks(world, page, words, look);
  const first = await world.newSession({ redirect_uri: undefined });
  await page.goto(first.connection_url);
  await look('connect-start', page);
  await button(page, words.continue);
  await lookAtSignIn(page, words, look);
  await look('connect-decide', page);
  await button(page, words.approve);
  await look('connect-decide-nothing-ticked', page);
  await page.getByLabel(words.linkAccounts).check();
  await button(page, words.approve);
  await look('connect-approved', page);
  await page.goto(`${world.baseUrl}/connections`);
  await look('connections-waiting', page);
  await world.recordConsent(first.session.id, ['account_linking']);
  await lookAtConnections(world, page, words, look);
  await lookAtEndings(world, page, words, look);
}

async function lookAtSignIn(page: Page, words: Words, look: Look): Promise<void> {
  await look('sign-in', page);
  await page.getByLabel(words.email).fill('nobody@example.org');
  await page.getByLabel(words.password).fill('wrong');
  await button(page, words.signIn);
  await look('sign-in-failed', page);
  await page.getByRole('link', { name: words.createAccount }).click();
  await look('sign-up', page);
  await page.getByLabel(words.email).fill(`maya${(people += 1)}.lindqvist@example.org`);
  await page.getByLabel(words.password).fill('short');
  await button(page, words.submitAccount);
  await look('sign-up-refused', page);
  await page.getByLabel(words.password).fill(PASSWORD);
  await button(page, words.submitAccount);
}

async function lookAtConnections(world: PagesWorld, page: Page, words: Words, look: Look): Promise<void> {
  const partner = await world.newPartner('Birch & Daughters Bookshop');
  const { session, connection_url: link } = await world.newSession({ redirect_uri: undefined }, partner);
  await page.goto(link);
  await button(page, words.continue);
  for (const box of await page.getByRole('checkbox').all()) await box.check();
  await button(page, words.approve);
  await world.recordConsent(session.id, ['account_linking', 'personalization', 'analytics'], partner);
  await page.goto(`${world.baseUrl}/connections`);
  await page.locator('details').first().locator('summary').click();
  await look('connections', page);
  await page.locator('form[action="/connections/withdraw"] button').first().click();
  await look('connections-withdrawn', page);
}

async function lookAtLinks(world: PagesWorld, page: Page, words: Words, look: Look): Promise<void> {
  const { session, connection_url: link } = await world.newSession();
  await page.goto(`${link}x`);
  await look('connect-invalid', page);
  await page.goto(`${world.baseUrl}/connect/${session.id}`);
  await look('connect-foreign', page);
  await page.goto(link);
  await button(page, words.continue);
  await page.context().clearCookies();
  await page.goto(link);
  await look('connect-used', page);
  await page.goto(`${world.baseUrl}/connections/none`);
  await look('not-found', page);
}

async function lookAtEndings(world: PagesWorld, page: Page, words: Words, look: Look): Promise<void> {
  const declined = await world.newSession({ redirect_uri: undefined });
  await page.goto(declined.connection_url);
  await button(page, words.continue);
  await button(page, words.decline);
  await look('connect-declined', page);
  const canceled = await world.newSession();
  await world.cancel(canceled.session.id);
  await page.goto(canceled.connection_url);
  await look('connect-canceled', page);
  const expired = await world.newSession({ expires_in: 60 });
  world.passSeconds(61);
  await page.goto(expired.connection_url);
  await look('connect-expired', page);
}

async function button(page: Page, name: string): Promise<void> {
  await page.getByRole('button', { name, exact: true }).click();
}
