import { expect } from 'chai';
import { SIGN_IN_RULES } from '../../src/oauth/signIn.js';
import { Browser } from '../oauth/Browser.js';
import { linkedPerson, signInAt } from '../support/linkedPerson.js';
import type { LinkedPerson } from '../support/linkedPerson.js';
import { recordProof } from '../support/recordProof.js';
import type { TestPartner } from '../support/TestPartner.js';
import { TestService } from '../support/TestService.js';
import { IN_PROOFS } from '../support/itInProofs.js';

const PEOPLE = IN_PROOFS ? 20 : 2;
const GUESSERS = 3;

/** Proof: whoever knows a person's address, and guesses at it, does not keep that person from withdrawing. */
describe('A withdrawal while others guess the password', function () {
  this.timeout(600_000);
  let service: TestService;
  let app: TestPartner;

  before(async () => {
    service = await TestService.start({ TRUSTED_PROXIES: 'loopback', ROLE: 'gateway' });
    app = await service.makeApp();
  });
  after(() => service.stop());

  const from = (address: string): Browser => new Browser(service.url, { 'x-forwarded-for': address });

  /**
   * Spends the budgets that guesses spend: at the person's own address, and of the account over all
   * addresses.
   */
  async function spendBudgets({ email }: LinkedPerson, home: string): Promise<void> {
    for (const [rule, subject] of [
      [SIGN_IN_RULES.account, `${email} ${home}`],
      [SIGN_IN_RULES.address, home],
      [SIGN_IN_RULES.everywhere, email],
    ] as const) {
      const key = `${rule.name}:${service.services.secrets.mac('throttle', subject)}`;
      await service.sql(
        `INSERT INTO throttles (key, points, expire) VALUES ($1, $2, $3)
         ON CONFLICT (key) DO UPDATE SET points = excluded.points, expire = excluded.expire`,
        [key, rule.most, Date.now() + 3_600_000],
      );
    }
  }

  async function guess(email: string, address: string): Promise<number> {
    const form = await from(address).open('/sign-in');
    return (await form.submit('/sign-in', { email, password: 'a wrong guess of many' })).status;
  }

  const stillGranted = async ({ customerId }: LinkedPerson): Promise<number> =>
    (await service.sql('SELECT granted_mask FROM customer_heads WHERE customer_id = $1', [customerId]))[0]
      .granted_mask;

  it('works from a known browser, signed in or not, but not from an unknown one', async () => {
    let guesses = 0;
    let refusedElsewhere = 0;
    let withdrawn = 0;
    for (let person = 0; person < PEOPLE; person += 1) {
      const home = `192.0.2.${person + 1}`;
      const [staying, returning] = [await linkedPerson(service, app), await linkedPerson(service, app)];
      const browsers = [
        await signInAt(service.url, staying, from(home)),
        await signInAt(service.url, returning, from(home)),
      ] as const;
      await service.sql('DELETE FROM account_sessions WHERE account_id = $1', [returning.accountId]);
      for (const victim of [staying, returning]) await spendBudgets(victim, home);
      const attack = { on: true };
      const guessing = Array.from({ length: GUESSERS }, async (_, index) => {
        for (let count = 0; attack.on; count += 1, guesses += 1) {
          const { email } = count % 2 === 0 ? staying : returning;
          const status = await guess(
            email,
            index === 0 ? home : `203.0.113.${(count * GUESSERS + index) % 250}`,
          );
          expect(status).to.be.oneOf([401, 429]);
        }
      });
      for (const [victim, browser] of [
        [staying, browsers[0]],
        [returning, browsers[1]],
      ] as const) {
        const page = victim === staying ? await browser.open('/connections') : undefined;
        const signedIn = page ?? (await (await signInAt(service.url, victim, browser)).open('/connections'));
        await signedIn.submit('/connections/withdraw', { purpose: 'all' });
        if ((await stillGranted(victim)) === 0) withdrawn += 1;
        const form = await from(home).open('/sign-in');
        const stranger = await form.submit('/sign-in', { email: victim.email, password: victim.password });
        if (stranger.status === 429) refusedElsewhere += 1;
      }
      attack.on = false;
      await Promise.all(guessing);
      expect(guesses).to.be.greaterThan(0);
    }
    expect(withdrawn).to.equal(2 * PEOPLE);
    expect(refusedElsewhere, 'the control').to.equal(2 * PEOPLE);
    recordProof({
      proof: 'withdrawUnderAttack',
      injected: `guesses at the account, from the person's address and others, with every budget for guesses spent`,
      times: guesses,
      checked: 'a person signed in, or in a browser that signed in before, withdraws',
      figure: `${withdrawn} of ${2 * PEOPLE} withdrawn`,
      broken: `without the mark of the browser, with the right password: ${refusedElsewhere} of ${2 * PEOPLE} refused`,
    });
  });
});
