import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { describeInBrowser } from './support/describeInBrowser.js';
import { mailTo } from './support/mailbox.js';
import { PagesHarness, PASSWORD } from './support/PagesHarness.js';
import { comeToDecide } from './support/tour.js';
import { Visitor } from './support/Visitor.js';
import { itInProofs } from '../support/itInProofs.js';

describeInBrowser('names of partners, in a browser', () => {
  let harness: PagesHarness;
  let visitor: Visitor;

  before(async () => {
    harness = await PagesHarness.open();
    visitor = await Visitor.arrive();
  });

  afterEach(() => visitor.forgetEverybody());

  after(async () => {
    await visitor?.leave();
    await harness?.close();
  });

  const press = (page: Page, name: string | RegExp) =>
    page.getByRole('button', { name, exact: true }).first().click();
  const heading = (page: Page) => page.locator('h1').textContent();

  /** Whatever the doors take by now. */
  const renamePartner = (name: string) =>
    harness.sql('UPDATE apps SET name = $1 WHERE app_id = $2', [name, harness.partner.appId]);

  /** A person on the page where the partner's link is decided. */
  async function arrive(page: Page): Promise<{ email: string; sessionId: string }> {
    const made = await harness.newSession({ redirect_uri: undefined });
    return { email: await comeToDecide(page, made.connection_url), sessionId: made.session.id };
  }

  async function approve(page: Page): Promise<void> {
    await page.getByLabel('Personalise what you see').check();
    await page.getByLabel('Understand how its service is used').check();
    await press(page, 'Approve what I ticked');
    await page.getByRole('heading', { name: 'You approved' }).waitFor();
  }

  async function signInToGraphiql(page: Page): Promise<void> {
    const email = await harness.newMember(['customers:read', 'profile:read']);
    await page.goto(`${harness.baseUrl}/graphiql`);
    await page.getByLabel('E-mail address').fill(email);
    await page.getByLabel('Password').fill(PASSWORD);
    await press(page, 'Sign in');
    await page.getByRole('heading', { name: 'Which app?' }).waitFor();
  }

  itInProofs('stay one line within themselves where they are older than the rule for names', async () => {
    await renamePartner('Acme.\n\nLook: https://evil.example\u202E!\u2066');
    const shown = 'Acme. Look: https://evil.example!';
    const page = await visitor.newPerson();
    const { email, sessionId } = await arrive(page);
    expect(await heading(page)).to.equal(`What may ${shown} do?`);
    expect(await page.title()).to.include(`What may ${shown} do?`);
    expect(await page.locator('.partner strong').textContent()).to.equal(shown);
    await approve(page);
    expect(await page.getByRole('status').textContent()).to.include(`${shown} was told.`);
    const approved = await mailTo(harness.baseUrl, email, 'You approved');
    expect(approved.subject).to.equal(`You approved what ${shown} asked for`);
    expect(approved.text).to.include(`you approved that ${shown} may:`).and.not.match(/^Look/m);
    await harness.recordConsent(sessionId, ['personalization', 'analytics'], harness.partner, {
      terms_version: '\u202E2026\n11',
      privacy_policy_version: 'seven\u2069',
    });
    await page.goto(`${harness.baseUrl}/connections`);
    expect(await page.getByRole('region').textContent())
      .to.include(`Withdraw everything from ${shown}`)
      .and.include('terms 2026 11 · privacy policy seven');
    await press(page, /^Withdraw everything/);
    expect(await page.getByRole('status').textContent()).to.include(`withdrawn. ${shown} can no longer`);
    const withdrawn = await mailTo(harness.baseUrl, email, 'You withdrew');
    expect(withdrawn.subject).to.equal(`You withdrew what ${shown} was allowed`);
    expect(withdrawn.text).not.to.match(/^Look/m);
    const operator = await visitor.newPerson();
    await signInToGraphiql(operator);
    expect(await operator.locator('h2').textContent()).to.equal(shown);
    await press(operator, `Open ${shown}`);
    expect(await operator.locator('main').textContent()).to.include(`only for data of the app ${shown}.`);
    await press(operator, 'Allow');
    await operator.locator('#graphiql-parts').waitFor({ state: 'attached' });
    expect(await heading(operator)).to.equal(`GraphiQL: ${shown}`);
  });

  itInProofs('are the id of the app where they have no visible character', async () => {
    await renamePartner('\u3164 \u200B');
    const shown = harness.partner.appId;
    const page = await visitor.newPerson();
    const { email } = await arrive(page);
    expect(await heading(page)).to.equal(`What may ${shown} do?`);
    await approve(page);
    const { subject } = await mailTo(harness.baseUrl, email, 'You approved');
    expect(subject).to.equal(`You approved what ${shown} asked for`);
    await page.goto(`${harness.baseUrl}/connections`);
    expect(await page.locator('main').textContent()).to.include(shown);
    const operator = await visitor.newPerson();
    await signInToGraphiql(operator);
    expect(await operator.locator('h2').textContent()).to.equal(shown);
    await press(operator, `Open ${shown}`);
    expect(await operator.locator('main').textContent()).to.include(`only for data of the app ${shown}.`);
  });

  itInProofs('read from right to left without moving the words around them', async () => {
    const name = 'متجر الياقوت (25)!';
    await renamePartner(name);
    const page = await visitor.newPerson();
    const { email } = await arrive(page);
    expect(await heading(page)).to.equal(`What may \u2068${name}\u2069 do?`);
    const placeOf = (text: string): Promise<number> => page.evaluate(placeInTitle(text));
    const places = await Promise.all(['may', '!', 'ت (', 'م', 'do?'].map(placeOf));
    expect(places, 'the name ends at its left').to.deep.equal(places.toSorted((one, other) => one - other));
    await approve(page);
    const { subject } = await mailTo(harness.baseUrl, email, 'You approved');
    expect(subject).to.equal(`You approved what \u2068${name}\u2069 asked for`);
  });

  itInProofs('break within the window, however long a word in them is', async () => {
    const name = 'Rindfleischetikettierungs'.repeat(8);
    await renamePartner(name);
    const page = await visitor.newPerson({ viewport: { width: 320, height: 640 } });
    const tooWide: string[] = [];
    const look = async (at: string, { inside = page, widths = [320, 640, 1200] } = {}): Promise<void> => {
      for (const width of widths) {
        await inside.setViewportSize({ width, height: 640 });
        const beyond = await inside.evaluate(BEYOND);
        if (beyond !== '') tooWide.push(`${at} at ${width}: ${String(beyond)}`);
      }
    };
    const { sessionId } = await arrive(page);
    await look('decide');
    await approve(page);
    await look('approved');
    await harness.recordConsent(sessionId, ['personalization', 'analytics']);
    await page.goto(`${harness.baseUrl}/connections`);
    await look('connections');
    const operator = await visitor.newPerson();
    await signInToGraphiql(operator);
    await look('pick', { inside: operator });
    await press(operator, `Open ${name}`);
    await operator.getByRole('heading', { name: 'Allow GraphiQL?' }).waitFor();
    await look('allow', { inside: operator });
    await press(operator, 'Allow');
    await operator.locator('.graphiql-query-editor').waitFor();
    await look('graphiql', { inside: operator });
    expect(tooWide).to.deep.equal([]);
  });
});

/** The left edge of a text in the heading of the page. */
function placeInTitle(text: string): string {
  return `(() => {
    const { firstChild } = document.querySelector('h1');
    const range = document.createRange();
    const start = firstChild.data.indexOf(${JSON.stringify(text)});
    range.setStart(firstChild, start);
    range.setEnd(firstChild, start + 1);
    return range.getBoundingClientRect().left;
  })()`;
}

/** What sticks out of the window or of its card. */
const BEYOND = `[
  ...(document.documentElement.scrollWidth > innerWidth ? ['the page: ' + document.documentElement.scrollWidth] : []),
  ...[...document.querySelectorAll('.card *')].filter((element) => {
    const [inner, outer] = [element, element.closest('.card')].map((box) => box.getBoundingClientRect());
    return inner.width > 1 && (inner.right > outer.right + 1 || inner.left < outer.left - 1);
  }).map((element) => element.tagName + '.' + element.className),
].join(', ')`;
