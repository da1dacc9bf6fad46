import { expect } from 'chai';
import fc from 'fast-check';
import type { TestPartner } from '../support/TestPartner.js';
import { makeCustomer } from '../support/records.js';
import { TestService } from '../support/TestService.js';
import { recordProof } from '../support/recordProof.js';
import { IN_PROOFS } from '../support/itInProofs.js';

const NUL = '%00';

/** Parameters of every OAuth endpoint and page form. */
const NAMES = [
  'client_id',
  'client_secret',
  'client_token',
  'code',
  'code_challenge',
  'code_challenge_method',
  'code_verifier',
  'decision',
  'email',
  'form_token',
  'grant_type',
  'id',
  'max_age',
  'nonce',
  'password',
  'prompt',
  'purposes',
  'redirect_uri',
  'refresh_token',
  'response_mode',
  'response_type',
  'return_to',
  'scope',
  'state',
  'token',
  'token_type_hint',
];

const PLAUSIBLE = [
  'authorization_code',
  'client_credentials',
  'refresh_token',
  'code',
  'S256',
  'login consent',
  'https://partner.example/callback',
  'openid customers:read',
  'ada@example.org',
  'allow',
  '/connections',
];

const encoded = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 12 }).map((text) => encodeURIComponent(text.toWellFormed())),
  fc.constantFrom(...PLAUSIBLE.map(encodeURIComponent)),
  fc.constantFrom(
    NUL,
    `a${NUL}@b.example`,
    '%FF%FE',
    '%ED%A0%80',
    '%',
    '%zz',
    '[]',
    '%F0%9F%92%A9',
    '9'.repeat(5000),
    '',
  ),
);
const pair = fc.tuple(fc.constantFrom(...NAMES), encoded).map((both) => both.join('='));
const form = fc.array(pair, { maxLength: 8 }).map((pairs) => pairs.join('&'));

describe('Fuzzed forms', () => {
  let service: TestService;
  let app: TestPartner;
  let paths: { get: string[]; post: string[] };

  before(async () => {
    service = await TestService.start({ BASE_URL: 'http://127.0.0.1' });
    app = await service.makeApp();
    const session = await app.rest('POST', '/v1/connection-sessions', {
      customer_id: await makeCustomer(app),
      requested_purposes: ['support'],
    });
    const connect = `/connect/${session.body.session.id as string}`;
    const pages = [
      '/sign-in',
      '/sign-up',
      '/sign-up/passkey',
      '/sign-up/passkey/options',
      '/reset-password/passkey',
      '/reset-password/passkey/options',
      '/sign-out',
      connect,
      `/connect/${NUL}`,
      '/connections',
      '/graphiql',
    ];
    const interaction = ['', '/sign-in', '/decide', '/sign-out'].map(
      (step) => `/oauth/interaction/nobody${step}`,
    );
    paths = {
      get: [
        ...pages,
        '/oauth/authorize',
        `/oauth/authorize/${NUL}`,
        '/oauth/interaction/nobody',
        '/oauth/upstream/callback',
      ],
      post: [
        ...pages,
        `${connect}/decide`,
        ...interaction,
        '/oauth/token',
        '/oauth/introspect',
        '/oauth/revoke',
        '/oauth/upstream/start',
      ],
    };
  });
  after(() => service.stop());

  async function answers(
    method: string,
    path: string,
    text: string,
    credentials: Record<string, string>,
  ): Promise<void> {
    const address = method === 'GET' && text !== '' ? `${path}?${text}` : path;
    const response = await fetch(service.url + address, {
      method,
      redirect: 'manual',
      headers: { ...credentials, 'content-type': 'application/x-www-form-urlencoded', cookie: cookies },
      ...(method === 'POST' ? { body: text } : {}),
    });
    const body = await response.text();
    expect(response.status, `${method} ${address} ${text} -> ${body.slice(0, 200)}`).to.be.below(500);
  }
  const cookies =
    'form_key=x; account_session=y; oauth_session=z; oauth_session.sig=z; oauth_interaction=w; __Host-x=%00';

  const credentials = (): Record<string, string>[] => [
    {},
    { authorization: `Basic ${btoa(`${app.appId}:${app.clientSecret}`)}` },
    { authorization: `Basic ${btoa(`a${NUL}:b`)}` },
    { authorization: `Basic ${btoa(`${app.appId}:${NUL}`)}` },
    { authorization: `Basic ${btoa(`a\0b:\0`)}` },
  ];

  it('are answered below 500 whatever their fields, query and credentials contain', async () => {
    const runs = IN_PROOFS ? 3000 : 25;
    let asked = 0;
    const sent = fc.tuple(form, fc.nat(4));
    for (const [method, path] of [
      ...paths.get.map((p) => ['GET', p]),
      ...paths.post.map((p) => ['POST', p]),
    ] as [string, string][]) {
      for (const name of NAMES) await answers(method, path, `${name}=a${NUL}b`, {});
      for (const own of credentials())
        await answers(method, path, `token=x&grant_type=client_credentials`, own);
      asked += runs;
      await fc.assert(
        fc.asyncProperty(sent, ([text, who]) => answers(method, path, text, credentials()[who] ?? {})),
        { numRuns: runs },
      );
    }
    recordProof({
      proof: '../oauth/formFuzz',
      injected: 'generated forms, queries and credentials, NUL in every parameter',
      times: asked,
      checked: 'nothing answers 5xx',
      figure: '0 × 5xx',
      broken: 'the service before: 500 at `/connect/%00` and `/oauth/introspect`',
    });
  });

  it('are answered with 400 in the format of the endpoint when an OAuth parameter contains NUL', async () => {
    const basic = { authorization: `Basic ${btoa(`${app.appId}:${app.clientSecret}`)}` };
    const post = async (
      path: string,
      body: string,
      headers: Record<string, string>,
    ): Promise<[number, unknown]> => {
      const response = await fetch(service.url + path, {
        method: 'POST',
        headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
        body,
      });
      const { error } = (await response.json()) as { error: string | { code: string } };
      return [response.status, typeof error === 'string' ? error : error.code];
    };
    const refused = [400, 'invalid_request'];
    for (const path of ['/oauth/token', '/oauth/introspect', '/oauth/revoke']) {
      expect(await post(path, `token=a${NUL}`, basic), path).to.deep.equal(refused);
      expect(
        await post(path, 'token=a', { authorization: `Basic ${btoa(`a${NUL}:b`)}` }),
        path,
      ).to.deep.equal(refused);
      expect(await post(`${path}?x=${NUL}`, 'token=a', basic), path).to.deep.equal(refused);
    }
    expect(await post('/oauth/token', `grant_type=client_credentials&client_id=${NUL}`, {})).to.deep.equal(
      refused,
    );
    const address = `${service.url}/oauth/authorize?client_id=${NUL}&response_type=code`;
    const toProgram = await fetch(address);
    expect([toProgram.status, await toProgram.json()]).to.deep.equal([
      400,
      { error: 'invalid_request', error_description: 'A parameter must not contain the NUL character.' },
    ]);
    const toBrowser = await fetch(address, { headers: { accept: 'text/html,*/*;q=0.8' } });
    expect([toBrowser.status, toBrowser.headers.get('content-type')]).to.deep.equal([
      400,
      'text/html; charset=utf-8',
    ]);
  });
});
