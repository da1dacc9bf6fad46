import { expect } from 'chai';
import type { TestApp, TestNode } from './OauthHarness.js';
import { OauthHarness } from './OauthHarness.js';

describe('The budgets of token requests', () => {
  let harness: OauthHarness;
  let limited: TestNode;
  let app: TestApp;

  before(async () => {
    harness = await OauthHarness.open();
    limited = await harness.addNode({ RATE_LIMITS: 'token=2' });
    app = await harness.addApp();
  });
  after(() => harness.close());
  beforeEach(() => harness.sql('DELETE FROM throttles'));

  function ask(fields: Record<string, string>, node = limited): Promise<Response> {
    return fetch(`${node.config.baseUrl}/oauth/token`, {
      method: 'POST',
      body: new URLSearchParams({ grant_type: 'client_credentials', ...fields }),
    });
  }

  function as({ appId, secret }: TestApp): Record<string, string> {
    return { client_id: appId, client_secret: secret };
  }

  it('are separate for authenticated and failed requests, per client and network', async () => {
    const open = await harness.addApp({ clientType: 'public' });
    const own = { appId: app.appId, secret: limited.services.secrets.mac('first-party-client', app.appId) };
    const cases: [string, Record<string, string>, string, string][] = [
      ['with the secret', as(app), 'token', app.appId],
      ['an own page', as(own), 'token', app.appId],
      ['a public client', { client_id: open.appId }, 'token', open.appId],
      ['a wrong secret', as({ ...app, secret: 'wrong' }), 'token_failed', app.appId],
      ['no secret', { client_id: app.appId }, 'token_failed', app.appId],
      ['nobody', {}, 'token_failed', 'unknown'],
      ['no id', as({ appId: `x${app.appId}`, secret: 'x' }), 'token_failed', 'unknown'],
      ['no id either', as({ appId: `${app.appId}x`, secret: 'x' }), 'token_failed', 'unknown'],
    ];
    for (const [title, fields, budget, client] of cases) {
      await harness.sql('DELETE FROM throttles');
      await ask(fields);
      const subject = limited.services.secrets.mac('throttle', `${client} 127.0.0.1`);
      expect(await harness.sql('SELECT key, points FROM throttles'), title).to.deep.equal([
        { key: `${budget}:${subject}`, points: 1 },
      ]);
    }
  });

  it('answer 429 with the time to wait', async () => {
    for (let count = 0; count < 2; count += 1) expect((await ask(as(app))).status).to.equal(200);
    const refused = await ask(as(app));
    expect([refused.status, refused.headers.get('cache-control')]).to.deep.equal([429, 'no-store']);
    const seconds = Number(refused.headers.get('retry-after'));
    expect(seconds).to.be.within(1, 60);
    expect(refused.headers.get('ratelimit-policy')).to.equal('"token";q=2;w=60');
    expect(refused.headers.get('ratelimit')).to.match(/^"token";r=0;t=\d+$/);
    expect(await refused.json()).to.deep.equal({
      error: 'rate_limited',
      error_description: `Too many token requests. Try again in ${seconds} s.`,
    });
  });

  it('can be switched off', async () => {
    const unlimited = await harness.addNode({ RATE_LIMITS: 'off' });
    const answer = await ask(as(app), unlimited);
    expect(answer.status).to.equal(200);
    expect([...answer.headers.keys()].filter((name) => name.startsWith('ratelimit'))).to.deep.equal([]);
    expect(await harness.sql('SELECT key FROM throttles')).to.deep.equal([]);
    expect((await ask({}, unlimited)).status).to.equal(401);
  });
});
