import { expect } from 'chai';
import type { Locator, Page } from 'playwright-core';
import { describeInBrowser } from './support/describeInBrowser.js';
import { mailsTo, mailTo } from './support/mailbox.js';
import { bearer, PagesHarness, PARTNER, PASSWORD } from './support/PagesHarness.js';
import { signInToDecide } from './support/tour.js';
import { Visitor } from './support/Visitor.js';
import { itInProofs } from '../support/itInProofs.js';

/** To the mail with the code, and back. */
const CLICKS_IN_THE_MAIL = 2;

/**
 * How long somebody takes who has not done it before, by the keystroke-level model (Card, Moran and Newell):
 * thinking 1.35 s, pointing 1.1 s and pressing 0.2 s for each click; a key 0.28 s; hands to the keys and back
 * 0.8 s for each field. It counts steps, so it says the same on every machine.
 */
function secondsOf({ clicks, keys, fields }: { clicks: number; keys: number; fields: number }): number {
  return clicks * (1.35 + 1.1 + 0.2) + keys * 0.28 + fields * 0.8;
}

describeInBrowser('my connections, in a browser', () => {
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

  /** A person who approved two purposes of a customer of their own, recorded by the partner. */
  async function connected(
    name: string,
    known?: typeof harness.partner,
  ): Promise<{ page: Page; partner: typeof harness.partner; receiptId: string; email: string }> {
    const partner = known ?? (await harness.newPartner(name));
    const { session, connection_url: link } = await harness.newSession({}, partner);
    const page = await visitor.newPerson();
    const email = await signInToDecide(harness, page, link);
    await page.getByLabel('Personalise what you see').check();
    await page.getByLabel('Understand how its service is used').check();
    await page.getByRole('button', { name: 'Approve' }).click();
    await page.waitForURL(`${harness.redirectUri}&**`);
    const receipt = await harness.recordConsent(session.id, ['personalization', 'analytics'], partner);
    return { page, partner, receiptId: receipt.id, email };
  }

  it('redirects a person who is not signed in to the sign-in page and back', async () => {
    const page = await visitor.newPerson();
    await page.goto(`${harness.baseUrl}/connections`);
    expect(new URL(page.url()).pathname).to.equal('/sign-in');
    await page.getByRole('link', { name: 'Create an account' }).click();
    await page.getByLabel('E-mail address').fill('alone@example.org');
    await page.getByLabel('Password').fill('gravel orchid teapot nine');
    await page.getByRole('button', { name: 'Create account' }).click();
    expect(page.url()).to.equal(`${harness.baseUrl}/connections`);
    expect(await page.locator('main').textContent()).to.include('No partner has your consent');
  });

  it('shows partners, purposes, since when, and the receipts', async () => {
    const { page, receiptId } = await connected('Birch Books');
    await page.goto(`${harness.baseUrl}/connections`);
    const card = page.getByRole('region', { name: 'Birch Books' });
    expect(await card.getByRole('heading', { level: 3 }).allTextContents()).to.deep.equal([
      'Personalise what you see',
      'Understand how its service is used',
    ]);
    expect(await card.getByText('since').count()).to.equal(2);
    await card.getByText('Receipts (1)').click();
    expect(await card.locator('details').textContent())
      .to.include(receiptId)
      .and.to.include('terms 2026-11');
  });

  it('shows an approval that the partner has not recorded until it expires', async () => {
    const partner = await harness.newPartner('Fern Foods');
    const { session, connection_url: link } = await harness.newSession({ expires_in: 60 }, partner);
    const page = await visitor.newPerson();
    await signInToDecide(harness, page, link);
    await page.getByLabel('Link your accounts').check();
    await page.getByRole('button', { name: 'Approve' }).click();
    await page.waitForURL(`${harness.redirectUri}&**`);
    await page.goto(`${harness.baseUrl}/connections`);
    expect(await page.getByRole('region').textContent()).to.include('Fern Foods has not recorded it yet');
    await harness.attempt('DELETE', `/v1/connection-sessions/${session.id}`, undefined, bearer(partner));
    await page.reload();
    expect(await page.getByRole('region').count()).to.equal(0);
  });

  it('withdraws an approval so that the partner can no longer record it', async () => {
    const partner = await harness.newPartner('Gorse Gardens');
    const { session, connection_url: link } = await harness.newSession({ redirect_uri: undefined }, partner);
    const page = await visitor.newPerson();
    await signInToDecide(harness, page, link);
    await page.getByLabel('Personalise what you see').check();
    await page.getByLabel('Understand how its service is used').check();
    await page.getByRole('button', { name: 'Approve' }).click();
    expect(await page.locator('main').textContent()).to.include('your approval lapses');
    await page.getByRole('link', { name: 'My connections' }).click();
    const card = page.getByRole('region', { name: 'Gorse Gardens' });
    expect(await card.getByText('The approval lapses on').count()).to.equal(2);
    await card
      .getByRole('button', { name: 'Take back “Personalise what you see” from Gorse Gardens' })
      .click();
    expect(await page.getByRole('status').textContent()).to.include(
      '“Personalise what you see” is withdrawn',
    );
    const record = (...purposes: string[]) =>
      harness.attempt(
        'POST',
        '/v1/consent-receipts',
        { customer_id: partner.customerId, connection_session_id: session.id, purposes },
        bearer(partner),
      );
    const refused = await record('personalization', 'analytics');
    expect(refused.status).to.equal(422);
    expect(refused.body).to.have.nested.property('error.details[0].code', 'purpose_not_approved');
    expect((await record('analytics')).status).to.equal(201);
    await page.reload();
    expect(await card.getByText('Withdrawn', { exact: true }).count()).to.equal(1);
    expect(await card.getByText('Allowed', { exact: true }).count()).to.equal(1);
  });

  it('shows an approval beside what the partner may do already, and ends both with one button', async () => {
    const { page, partner } = await connected('Heath Hats');
    const { session, connection_url: link } = await harness.newSession(
      { requested_purposes: ['analytics'], redirect_uri: undefined },
      partner,
    );
    await page.goto(link);
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.getByLabel('Understand how its service is used').check();
    await page.getByRole('button', { name: 'Approve' }).click();
    await page.goto(`${harness.baseUrl}/connections`);
    expect(await page.getByText('The approval lapses on').count()).to.equal(1);
    await page
      .getByRole('button', { name: 'Withdraw “Understand how its service is used” from Heath Hats' })
      .click();
    expect(await page.getByRole('status').textContent()).to.include('is withdrawn');
    expect(await page.getByText('The approval lapses on').count()).to.equal(0);
    const path = `/v1/connection-sessions/${session.id}`;
    const { body } = await harness.attempt('GET', path, undefined, bearer(partner));
    expect(body).to.deep.include({ status: 'revoked', approved_purposes: [] });
    const receipt = {
      customer_id: partner.customerId,
      connection_session_id: session.id,
      purposes: ['analytics'],
    };
    const refused = await harness.attempt('POST', '/v1/consent-receipts', receipt, bearer(partner));
    expect(refused.body).to.have.nested.property('error.details[0].code', 'purpose_not_approved');
    await page.goto(`${harness.baseUrl}/connect/${session.id}`);
    expect(await page.getByRole('heading', { level: 1 }).textContent()).to.equal(
      'You took your approval back',
    );
  });

  it('withdraws one purpose, and the profile read is refused at once', async () => {
    const { page, partner, receiptId } = await connected('Cedar Cycles');
    const read = (purpose: string) =>
      harness.attempt(
        'GET',
        `/v1/profiles/${partner.customerId}?consent_purpose=${purpose}`,
        undefined,
        bearer(partner),
      );
    expect((await read('analytics')).status).to.equal(200);
    await page.goto(`${harness.baseUrl}/connections`);
    await page
      .getByRole('button', { name: 'Withdraw “Understand how its service is used” from Cedar Cycles' })
      .click();
    expect(await page.getByRole('status').textContent()).to.include('is withdrawn');
    const denied = await read('analytics');
    expect(denied.status).to.equal(403);
    expect(denied.body).to.have.nested.property('error.code', 'consent_denied');
    expect((await read('personalization')).status, 'the other purpose stays').to.equal(200);
    const receipt = await harness.attempt(
      'GET',
      `/v1/consent-receipts/${receiptId}`,
      undefined,
      bearer(partner),
    );
    expect(receipt.body['status']).to.equal('partially_revoked');
  });

  it('tells the person by mail what they approved and withdrew, and how to undo it', async () => {
    const { page, email } = await connected('Iris Inks');
    const approval = await mailTo(harness.baseUrl, email, 'You approved what Iris Inks asked for');
    expect(approval.text)
      .to.include('- Personalise what you see')
      .and.to.include(`${harness.baseUrl}/connections`);
    await page.goto(`${harness.baseUrl}/connections`);
    await page.getByRole('button', { name: 'Withdraw everything from Iris Inks' }).click();
    const withdrawal = await mailTo(harness.baseUrl, email, 'You withdrew what Iris Inks was allowed');
    expect(withdrawal.text)
      .to.include('- Understand how its service is used')
      .and.to.include('approve there');
    const mails = await mailsTo(harness.baseUrl, email);
    expect(mails.filter(({ subject }) => subject.includes('Iris Inks'))).to.have.length(2);
  });

  itInProofs('allows an approval in seven clicks and a minute and a withdrawal in two clicks', async () => {
    const { session, connection_url: link } = await harness.newSession({ redirect_uri: undefined });
    const page = await visitor.newPerson();
    let clicks = 0;
    const click = async (what: Locator): Promise<void> => {
      clicks += 1;
      await what.click();
    };
    let keys = 0;
    const type = async (what: Locator, text: string): Promise<void> => {
      keys += text.length;
      await what.fill(text);
    };
    const email = `maya.${session.id.slice(-12)}@example.org`;
    await page.goto(link);
    await click(page.getByRole('button', { name: 'Continue' }));
    await click(page.getByRole('link', { name: 'Create an account' }));
    await type(page.getByLabel('E-mail address'), email);
    await type(page.getByLabel('Password'), PASSWORD);
    await click(page.getByRole('button', { name: 'Create account' }));
    await page.getByLabel('Understand how its service is used').waitFor();
    const { code } = await mailTo(harness.baseUrl, email, 'confirms your e-mail address');
    await type(page.getByLabel('Code from the mail'), code ?? '');
    await click(page.getByLabel('Understand how its service is used'));
    await click(page.getByRole('button', { name: 'Approve what I ticked' }));
    await page.getByRole('heading', { name: 'You approved' }).waitFor();
    expect((await harness.session(session.id)).status).to.equal('authorized');
    expect(clicks, 'by somebody who has never been here').to.be.at.most(7);
    expect(secondsOf({ clicks: clicks + CLICKS_IN_THE_MAIL, keys, fields: 3 })).to.be.below(60);
    await harness.recordConsent(session.id, ['analytics']);
    clicks = 0;
    await click(page.getByRole('link', { name: 'My connections' }));
    await click(page.getByRole('button', { name: /^Withdraw .Understand how its service is used/ }));
    await page.getByText('is withdrawn').waitFor();
    expect(clicks).to.be.at.most(2);
    const profile = `/v1/profiles/${harness.partner.customerId}?consent_purpose=analytics`;
    expect((await harness.attempt('GET', profile)).status).to.equal(403);
  });

  it('withdraws everything from one partner and keeps the other', async () => {
    const { page, partner, receiptId } = await connected('Dune Dairy');
    await page.goto(`${harness.baseUrl}/connections`);
    await page.getByRole('button', { name: 'Withdraw everything from Dune Dairy' }).click();
    expect(await page.getByText('Withdrawn', { exact: true }).count()).to.equal(2);
    expect(await page.getByRole('button', { name: /Withdraw/ }).count()).to.equal(0);
    const receipt = await harness.attempt(
      'GET',
      `/v1/consent-receipts/${receiptId}`,
      undefined,
      bearer(partner),
    );
    expect(receipt.body['status']).to.equal('revoked');
  });

  it('shows each of two people who approved for one customer their own receipt alone', async () => {
    const first = await connected('Juniper Jam');
    const second = await connected('Juniper Jam', first.partner);
    for (const [one, other] of [
      [first, second],
      [second, first],
    ] as const) {
      await one.page.goto(`${harness.baseUrl}/connections`);
      const card = one.page.getByRole('region', { name: 'Juniper Jam' });
      await card.getByText('Receipts (1)').click();
      expect(await card.locator('details').textContent())
        .to.include(one.receiptId)
        .and.to.not.include(other.receiptId);
    }
  });

  it('shows nobody the receipt of an account that was deleted', async () => {
    const gone = await connected('Kelp Kitchen');
    const { page, partner } = await connected('Kelp Kitchen', gone.partner);
    await gone.page.goto(`${harness.baseUrl}/account/delete`);
    await gone.page.getByRole('button', { name: 'Delete my account for good' }).click();
    await gone.page.getByRole('heading', { name: 'Your account is deleted' }).waitFor();
    await page.goto(`${harness.baseUrl}/connections`);
    expect(await page.getByRole('region', { name: 'Kelp Kitchen' }).textContent())
      .to.include('Receipts (1)')
      .and.to.not.include(gone.receiptId);
    const exported = await (await page.request.get(`${harness.baseUrl}/account/export`)).text();
    expect(exported).to.include(partner.customerId).and.to.not.include(gone.receiptId);
  });

  it('neither shows nor withdraws consents of another person', async () => {
    const other = await connected('Elm Electric');
    const { page } = await connected(PARTNER);
    await page.goto(`${harness.baseUrl}/connections`);
    expect(await page.getByRole('region').count()).to.equal(1);
    const form = page.locator('form[action="/connections/withdraw"]').first();
    for (const [name, value] of [
      ['app_id', other.partner.appId],
      ['customer_id', other.partner.customerId],
    ] as const) {
      await form
        .locator(`input[name=${name}]`)
        .evaluate((input, text) => input.setAttribute('value', text), value);
    }
    await page
      .getByRole('button', { name: /Withdraw “/ })
      .first()
      .click();
    await page.waitForURL(`${harness.baseUrl}/connections`);
    const path = `/v1/consent-receipts/${other.receiptId}`;
    expect((await harness.attempt('GET', path, undefined, bearer(other.partner))).body['status']).to.equal(
      'active',
    );
  });
});
