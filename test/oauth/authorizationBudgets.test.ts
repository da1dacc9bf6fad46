import { expect } from 'chai';
import { AUTHORIZATION_RULES } from '../../src/oauth/limitInteractions.js';
import { AuthorizationFixture } from './AuthorizationFixture.js';
import { Browser } from './Browser.js';

const HERE = '127.0.0.1';
const REFUSED = 'Too many authorization requests. Try again in';

describe('The budgets of authorization requests', () => {
  let fixture: AuthorizationFixture;

  before(async () => {
    fixture = await AuthorizationFixture.open();
  });
  beforeEach(() => fixture.harness.sql('DELETE FROM throttles'));
  after(() => fixture.harness.close());

  async function useUp(rule: keyof typeof AUTHORIZATION_RULES, subject: string): Promise<void> {
    const { name, most } = AUTHORIZATION_RULES[rule];
    const { secrets } = fixture.harness.node.services;
    await fixture.harness.sql('INSERT INTO throttles (key, points, expire) VALUES ($1, $2, $3)', [
      `${name}:${secrets.mac('throttle', subject)}`,
      most,
      Date.now() + 600_000,
    ]);
  }

  const newBrowser = (headers: Record<string, string> = {}) => new Browser(fixture.harness.baseUrl, headers);

  async function counted(): Promise<Record<string, unknown>[]> {
    return fixture.harness.sql(
      `SELECT split_part(key, ':', 1) AS rule, points FROM throttles WHERE key LIKE 'authorization%' ORDER BY 1`,
    );
  }

  async function waiting(): Promise<unknown> {
    const [row] = await fixture.harness.sql(
      `SELECT count(*)::int AS count FROM oauth_artifacts WHERE kind = 'Interaction'`,
    );
    return row?.['count'];
  }

  it('refuse a network that has used up its own, on a page in the language of the person', async () => {
    await useUp('network', HERE);
    const before = await waiting();
    for (const [language, title, text] of [
      ['en', 'This request cannot be completed', 'There were too many attempts. Please wait 10 minutes'],
      ['de', 'Diese Anfrage kann nicht abgeschlossen werden', 'Bitte warten Sie 10 Minuten'],
    ] as const) {
      const visit = await newBrowser({ 'accept-language': language }).open(
        fixture.address({ state: 'kept-by-partner' }),
      );
      expect([visit.status, visit.away]).to.deep.equal([429, undefined]);
      expect(Number(visit.headers.get('retry-after'))).to.be.within(590, 600);
      expect(visit.headers.get('cache-control')).to.equal('no-store');
      expect(visit.text).to.include(`<h1>${title}</h1>`).and.include(text);
      expect(visit.text).to.not.include('rate_limited');
    }
    expect(await waiting()).to.equal(before);
  });

  it('refuse a program in the format of OAuth', async () => {
    await useUp('network', HERE);
    const answer = await fetch(fixture.harness.baseUrl + fixture.address(), { redirect: 'manual' });
    const seconds = answer.headers.get('retry-after');
    expect(answer.status).to.equal(429);
    expect(await answer.json()).to.include({
      error: 'rate_limited',
      error_description: `${REFUSED} ${seconds} s.`,
    });
  });

  it('leave a browser that signed in before its own, and that of its network after it', async () => {
    const known = newBrowser();
    expect((await fixture.signIn(known)).status).to.equal(200);
    await fixture.harness.sql('DELETE FROM throttles');
    await useUp('network', HERE);
    expect((await known.open(fixture.address())).status).to.equal(200);
    await fixture.harness.sql('DELETE FROM throttles');
    await useUp('device', known.cookie('device')?.split('.')[0] ?? '');
    expect((await known.open(fixture.address())).status).to.equal(200);
    await fixture.harness.sql(`DELETE FROM throttles WHERE key LIKE 'authorization:%'`);
    await useUp('network', HERE);
    expect((await known.open(fixture.address())).status).to.equal(429);
  });

  it('are spent once by a request that waits for a person, until it is decided', async () => {
    const page = await fixture.signIn(newBrowser());
    const done = await page.submit('/decide', { decision: 'allow' });
    expect(done.away?.searchParams.get('code')).to.be.a('string');
    expect(await counted()).to.deep.equal([{ rule: 'authorization', points: 1 }]);
  });

  it('are not spent by a request that is answered at once', async () => {
    for (const [parameters, error] of [
      [{ prompt: 'none' }, 'login_required'],
      [{ scope: 'everything' }, 'invalid_scope'],
    ] as const) {
      const visit = await newBrowser().open(fixture.address(parameters));
      expect(visit.away?.searchParams.get('error')).to.equal(error);
    }
    expect(await counted()).to.deep.equal([]);
  });
});
