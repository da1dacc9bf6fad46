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

  it('let pages read how long to wait, also of the last answer before', async () => {
    const { appId } = await harness.addApp({
      clientType: 'public',
      redirectUris: ['https://spa.example/callback'],
    });
    const readable = async (body: string | URLSearchParams): Promise<unknown[]> => {
      const headers = { origin: 'https://spa.example' };
      const answer = await fetch(`${limited.config.baseUrl}/oauth/token`, { method: 'POST', headers, body });
      const exposed = answer.headers.get('access-control-expose-headers')?.split(', ') ?? [];
      const wanted = ['RateLimit', 'RateLimit-Policy', 'Retry-After'].every((name) => exposed.includes(name));
      return [answer.status, answer.headers.get('access-control-allow-origin'), wanted];
    };
    const refresh = { grant_type: 'refresh_token', refresh_token: 'x', client_id: appId };
    for (let count = 0; count < 2; count += 1)
      expect(await readable(new URLSearchParams(refresh))).to.deep.equal([400, 'https://spa.example', true]);
    expect(await readable(new URLSearchParams(refresh))).to.deep.equal([429, '*', true]);
    expect(await readable('{}'), 'no form').to.deep.equal([400, '*', true]);
    expect(await readable(new URLSearchParams({ client_id: '\0' })), 'NUL').to.deep.equal([400, '*', true]);
    expect(await readable(new URLSearchParams()), 'no client').to.deep.equal([401, '*', true]);
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
