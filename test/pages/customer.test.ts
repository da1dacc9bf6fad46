import { expect } from 'chai';
import type { Page } from 'playwright-core';
import type { Scope } from '../../src/domain/scopes.js';
import { ALL_SCOPES } from '../../src/domain/scopes.js';
import { DashboardMembers } from './support/DashboardMembers.js';
import { describeInBrowser } from './support/describeInBrowser.js';
import { PagesHarness } from './support/PagesHarness.js';
import { claimShoeSize, personWithFact } from './support/personWithFact.js';
import { Visitor } from './support/Visitor.js';
import { itInProofs } from '../support/itInProofs.js';

describeInBrowser('a customer that is open in the dashboard, in a browser', () => {
  let harness: PagesHarness;
  let visitor: Visitor;
  let members: DashboardMembers;

  before(async () => {
    harness = await PagesHarness.open();
    visitor = await Visitor.arrive();
    members = new DashboardMembers(harness, visitor);
  });

  afterEach(() => visitor.forgetEverybody());

  after(async () => {
    await visitor?.leave();
    await harness?.close();
  });

  const arrive = (path: string, scopes: readonly Scope[] = ALL_SCOPES): Promise<Page> =>
    members.arrive(path, scopes);

  const live = (page: Page) => page.locator('.live').getByText('Live');

  for (const [itOnPage, what, part, scopes] of [
    [it, 'an explained fact', '?fact=ANALYTICS.shoe.size', ALL_SCOPES],
    [itInProofs, 'claims', '/claims', ALL_SCOPES],
    [itInProofs, 'a fact, without hearing of consent', '', ['customers:read', 'profile:read']],
    [it, 'claims, without hearing of anything', '/claims', ['customers:read', 'claims:read']],
  ] as const)
    itOnPage(`is gone when it is erased elsewhere: ${what}`, async () => {
      const { customerId } = await personWithFact(harness);
      const page = await arrive(`/customers/${customerId}${part}`, scopes);
      const value = page.getByText('43.5').first();
      await value.waitFor();
      if (scopes.some((scope) => scope === 'profile:read')) await live(page).waitFor();
      const erased = await harness.attempt('DELETE', `/v1/customers/${customerId}`);
      expect(erased.status).to.equal(204);
      await value.waitFor({ state: 'detached' });
      await page.getByText('runner-').first().waitFor({ state: 'detached' });
      await page.getByText('It does not exist').waitFor();
    });

  for (const purpose of ['', '?purpose=ANALYTICS'])
    it(`shows no withdrawn claims to whom consent is not told${purpose}`, async () => {
      const { customerId, receiptId } = await personWithFact(harness);
      const scopes: Scope[] = ['customers:read', 'claims:read', 'profile:read'];
      const page = await arrive(`/customers/${customerId}/claims${purpose}`, scopes);
      const claim = page.getByText('43.5').first();
      await claim.waitFor();
      expect(await page.locator('.live').count(), 'it hears of nothing').to.equal(0);
      await harness.attempt('POST', `/v1/consent-receipts/${receiptId}/revoke`, { reason: 'user_request' });
      await claim.waitFor({ state: 'detached' });
    });

  for (const purpose of ['', 'purpose=ANALYTICS&'])
    it(`explains the value that it shows when another comes: ${purpose}`, async () => {
      const { customerId } = await personWithFact(harness);
      const page = await arrive(`/customers/${customerId}?${purpose}fact=ANALYTICS.shoe.size`);
      const drawer = page.getByRole('dialog', { name: 'shoe.size' });
      await drawer.getByText('Claim of shop').waitFor();
      await live(page).waitFor();
      let release = (): void => undefined;
      const released = new Promise<void>((resolve) => (release = resolve));
      await page.route('**/dashboard/query?*', async (route) => {
        if (route.request().postData()?.includes('query Fact(') === true) await released;
        await route.continue().catch(() => undefined);
      });
      for (const source of ['outlet', 'fitting']) await claimShoeSize(harness, customerId, 44, source);
      const shown = page.locator('table .row-link', { hasText: 'shoe.size' }).locator('xpath=ancestor::tr');
      await shown.getByText('44').first().waitFor({ state: 'attached' });
      expect(await drawer.locator('.fact-head').innerText(), 'under the old explanation').to.include('43.5');
      release();
      await drawer.locator('.fact-head').getByText('44').waitFor();
      expect(await drawer.innerText()).to.include('Claim of fitting');
    });

  itInProofs('offers to withdraw what an old receipt grants, below a hundred newer ones', async () => {
    const { body } = await harness.attempt('POST', '/v1/customers', { external_id: 'regular' });
    const customerId = (body['customer'] as { id: string }).id;
    const grant = (purpose: string) =>
      harness.attempt('POST', '/v1/consent-receipts', {
        customer_id: customerId,
        purposes: [purpose],
        terms_version: '2026-10',
      });
    await grant('support');
    for (let count = 0; count < 100; count += 1) await grant('analytics');
    const page = await arrive(`/customers/${customerId}/consent`);
    const oldest = page.locator('.timeline li').filter({ hasText: 'Support' });
    for (let turn = 0; turn < 4; turn += 1) {
      const address = page.url();
      await page.getByRole('button', { name: 'Next' }).click();
      await page.waitForURL((url) => url.href !== address);
    }
    await oldest.getByText('2026-10').waitFor();
    await oldest.getByRole('button', { name: 'Withdraw…' }).waitFor();
  });
});
