import { expect } from 'chai';
import { PASSKEY_RULES } from '../../src/pages/account/sendPasskeyOptions.js';
import { TestService } from '../support/TestService.js';
import type { Visit } from '../oauth/Browser.js';
import { Browser } from '../oauth/Browser.js';
import { PASSWORD } from '../oauth/OauthHarness.js';

const HERE = '127.0.0.1';

describe('The budgets of passkey options', () => {
  let service: TestService;
  let serial = 0;

  before(async () => {
    service = await TestService.start();
  });
  beforeEach(() => service.sql('DELETE FROM throttles'));
  after(() => service.stop());

  async function askFor(browser: Browser, path: '/sign-in' | '/sign-up'): Promise<Visit> {
    const form = (await browser.open(path)).forms.find(({ action }) => action.startsWith(path));
    const fields = { ...form?.fields, email: 'passkey@partner.example' };
    return browser.open(`${path}/passkey/options`, fields);
  }

  const statusFor = async (browser: Browser, path: '/sign-in' | '/sign-up'): Promise<number> =>
    (await askFor(browser, path)).status;

  /** A browser in which somebody signed in, and out. */
  async function knownHere(): Promise<Browser> {
    const browser = new Browser(service.url);
    const email = `known${(serial += 1)}@partner.example`;
    await (await browser.open('/sign-up')).submit('/sign-up', { email, password: PASSWORD });
    const connections = await browser.open('/connections');
    await connections.submit('/sign-out', {});
    expect(browser.cookie('account_session')).to.equal(undefined);
    return browser;
  }

  async function useUp(rule: keyof typeof PASSKEY_RULES, subject: string): Promise<void> {
    const { name, most } = PASSKEY_RULES[rule];
    await service.sql(
      `INSERT INTO throttles (key, points, expire) VALUES ($1, $2, $3)
       ON CONFLICT (key) DO UPDATE SET points = excluded.points`,
      [`${name}:${service.services.secrets.mac('throttle', subject)}`, most, Date.now() + 600_000],
    );
  }

  it('refuse a new browser of a network that has used up its own, and no known one', async () => {
    const known = await knownHere();
    await useUp('signIn', HERE);
    const refused = await askFor(new Browser(service.url), '/sign-in');
    expect(refused.status).to.equal(429);
    expect(Number(refused.headers.get('retry-after'))).to.be.within(1, 900);
    expect(await statusFor(known, '/sign-in')).to.equal(200);
  });

  it('let a known browser that has used up its own have that of its network', async () => {
    const known = await knownHere();
    await useUp('device', known.cookie('device')?.split('.')[0] ?? '');
    expect(await statusFor(known, '/sign-in')).to.equal(200);
    await useUp('signIn', HERE);
    expect(await statusFor(known, '/sign-in')).to.equal(429);
    expect(await statusFor(await knownHere(), '/sign-in'), 'another browser').to.equal(200);
  });

  it('are apart for signing up and signing in', async () => {
    const browser = new Browser(service.url);
    await useUp('signUp', HERE);
    expect(await statusFor(browser, '/sign-up')).to.equal(429);
    expect(await statusFor(browser, '/sign-in')).to.equal(200);
    await service.sql('DELETE FROM throttles');
    await useUp('signIn', HERE);
    expect(await statusFor(browser, '/sign-up')).to.equal(200);
    expect(await statusFor(browser, '/sign-in')).to.equal(429);
  });
});
