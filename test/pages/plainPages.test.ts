import { expect } from 'chai';
import { Browser } from '../oauth/Browser.js';
import type { Visit } from '../oauth/Browser.js';
import { PagesHarness, PARTNER, PASSWORD } from './support/PagesHarness.js';

describe('Pages by plain HTTP', () => {
  let harness: PagesHarness;

  before(async () => {
    harness = await PagesHarness.open();
  });
  after(() => harness.close());

  /** Signed in to an account of a proved address. */
  async function signedIn(returnTo = '/account'): Promise<{ browser: Browser; email: string }> {
    const { email } = await harness.newAccount();
    const browser = new Browser(harness.baseUrl);
    const page = await browser.open(`/sign-in?return_to=${encodeURIComponent(returnTo)}`);
    await page.submit('/sign-in', { email, password: PASSWORD });
    return { browser, email };
  }

  describe('with two customers of one partner', () => {
    /** The cards of "My connections", in the order of the page. */
    const cardsOf = ({ text }: Visit) => text.match(/<section class="card".*?<\/section>/gs) ?? [];
    const noticeOf = ({ text }: Visit) =>
      /<div class="notice success".*?<\/div>/s.exec(text)?.[0].replaceAll(/<[^>]+>/g, ' ');

    it('tells the cards apart, and says of which a purpose was withdrawn', async () => {
      const { browser } = await signedIn();
      const second = await harness.attempt('POST', '/v1/customers', { external_id: 'maya-2' });
      const { id } = second.body['customer'] as { id: string };
      for (const customerId of [harness.partner.customerId, id]) {
        const made = await harness.newSession({ customer_id: customerId, redirect_uri: undefined });
        const start = await browser.open(made.connection_url);
        const decision = await start.submit(made.session.id, {});
        await decision.submit('/decision', { decision: 'approve', purposes: 'analytics' });
        harness.passSeconds(60);
      }
      const page = await browser.open('/connections');
      const linked = cardsOf(page).map((card) => /Connected on [^<]*/.exec(card)?.[0]);
      expect(new Set(linked)).to.have.property('size', 2);
      const withdrawn = await browser.open('/connections/withdraw', {
        ...page.forms.find(({ fields }) => fields['customer_id'] === harness.partner.customerId)?.fields,
      });
      expect(cardsOf(withdrawn)[1], 'the older one').to.include('Withdrawn');
      expect(noticeOf(withdrawn)).to.include(`${PARTNER} can no longer use it`).and.include(linked[1]);
    });
  });
});
