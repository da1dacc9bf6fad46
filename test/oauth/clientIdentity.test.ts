import { Readable } from 'node:stream';
import { expect } from 'chai';
import type { Request, Response } from 'express';
import type { Config } from '../../src/config.js';
import { SecretBox } from '../../src/domain/SecretBox.js';
import { hashSecretToken } from '../../src/domain/secretToken.js';
import { ServiceError } from '../../src/errors.js';
import {
  authenticateClient,
  basicCredentials,
  clientCredentials,
} from '../../src/oauth/authenticateClient.js';
import { findClient } from '../../src/oauth/findClient.js';
import { refuseUnrequestable } from '../../src/oauth/interactionPolicy.js';
import { deviceMark, knownBrowser, knownDevice, rememberDevice } from '../../src/oauth/knownDevice.js';
import { reachOf } from '../../src/oauth/reach.js';
import { readForm, singleField } from '../../src/oauth/readForm.js';
import type { Form } from '../../src/oauth/readForm.js';

const NOW = new Date('2026-03-01T00:00:00.000Z');
const LATER = '2026-03-01T00:00:00.001Z';

const APP = {
  app_id: 'app_1',
  name: 'Harbour Books',
  client_type: 'confidential',
  client_secret_hash: hashSecretToken('present'),
  previous_secret_hash: hashSecretToken('previous'),
  previous_secret_expires_at: LATER,
  older_secrets: [{ hash: hashSecretToken('older'), expires_at: LATER }],
  redirect_uris: ['https://partner.example/cb'],
  allowed_scopes: ['apps:read', 'claims:read'],
};
const PUBLIC = {
  ...APP,
  client_type: 'public',
  client_secret_hash: null,
  previous_secret_hash: null,
  previous_secret_expires_at: null,
  older_secrets: [],
};

/** A database that knows these rows by their app. */
function directory(...rows: { app_id: string }[]): {
  read: <T>(query: unknown, values?: unknown[]) => Promise<T[]>;
} {
  return {
    read: <T>(_query: unknown, values: unknown[] = []) =>
      Promise.resolve(rows.filter((row) => row.app_id === values[0]) as unknown as T[]),
  };
}

describe('The client of a token request', () => {
  const who = (
    app: typeof APP | typeof PUBLIC,
    secret: string | undefined,
    allowPublic = false,
  ): Promise<unknown> =>
    authenticateClient(
      { database: directory(app) as never, clock: () => NOW },
      secret === undefined ? { clientId: 'app_1' } : { clientId: 'app_1', secret },
      allowPublic,
    );

  it('is authenticated only by a secret that is valid now', async () => {
    const known = { appId: 'app_1', allowedScopes: APP.allowed_scopes };
    for (const secret of ['present', 'previous', 'older'])
      expect(await who(APP, secret), secret).to.deep.equal(known);
    for (const secret of ['', 'presen', 'present ', hashSecretToken('present'), undefined])
      for (const allowPublic of [false, true])
        expect(await who(APP, secret, allowPublic)).to.equal(undefined);
    const ended = { ...APP, previous_secret_expires_at: NOW.toISOString(), older_secrets: [] };
    expect(await who(ended, 'previous'), 'from its last moment on').to.equal(undefined);
  });

  it('is identified by its id alone when it is public and public clients are allowed', async () => {
    expect(await who(PUBLIC, undefined, true)).to.include({ appId: 'app_1' });
    expect(await who(PUBLIC, undefined)).to.equal(undefined);
    expect(await who(PUBLIC, 'any', true), 'it has no secret').to.equal(undefined);
  });

  it('is refused when the app does not exist or no credentials are sent', async () => {
    const services = { database: directory() as never, clock: () => NOW };
    expect(await authenticateClient(services, { clientId: 'app_1', secret: 'present' }, true)).to.equal(
      undefined,
    );
    expect(await authenticateClient(services, undefined, true)).to.equal(undefined);
  });

  const basic = (text: string, scheme = 'Basic '): Request =>
    ({ headers: { authorization: scheme + Buffer.from(text).toString('base64') } }) as Request;
  const form = (text: string): Form => ({ bytes: Buffer.from(text), fields: new URLSearchParams(text) });

  it('is read from Basic credentials with both parts form-encoded', () => {
    expect(basicCredentials(basic('app_1:s%3Ae+c'))).to.deep.equal({ clientId: 'app_1', secret: 's:e c' });
    expect(basicCredentials(basic('a+b%20c:x:y+z+'))).to.deep.equal({ clientId: 'a b c', secret: 'x:y z ' });
    expect(basicCredentials(basic('a:', 'basic   '))).to.deep.equal({ clientId: 'a', secret: '' });
    expect(basicCredentials(basic('ü:é'))).to.deep.equal({ clientId: 'ü', secret: 'é' });
  });

  it('is not read from malformed Basic credentials', () => {
    for (const request of [basic(':secret'), basic('secret'), basic(''), basic('a:%zz'), basic('%zz:a')])
      expect(basicCredentials(request), request.headers.authorization).to.equal(undefined);
    const encoded = Buffer.from('a:bc').toString('base64');
    for (const authorization of [
      undefined,
      '',
      encoded,
      `Bearer ${encoded}`,
      `xBasic ${encoded}`,
      `Basic ${encoded} x`,
      `Basic${encoded}`,
      `Basic ${encoded}===`,
      'Basic !',
    ])
      expect(basicCredentials({ headers: { authorization } } as Request), authorization).to.equal(undefined);
  });

  it('is read from the form when there is no Authorization header', () => {
    const none = { headers: {} } as Request;
    expect(clientCredentials(none, form('client_id=a&client_secret=b'))).to.deep.equal({
      clientId: 'a',
      secret: 'b',
    });
    expect(clientCredentials(none, form('client_id=a'))).to.deep.equal({ clientId: 'a' });
    expect(clientCredentials(none, form('client_secret=b'))).to.equal(undefined);
    expect(clientCredentials(basic('x:y'), form('client_id=x'))).to.deep.equal({
      clientId: 'x',
      secret: 'y',
    });
    for (const both of ['client_id=x&client_secret=y', 'client_secret=y', 'client_id=a'])
      expect(() => clientCredentials(basic('x:y'), form(both)), both).to.throw('in one way only');
    for (const name of ['client_id', 'client_secret'])
      for (const sent of [none, basic('x:y')])
        expect(() => clientCredentials(sent, form(`client_id=x&client_secret=y&${name}=x`)), name).to.throw(
          `The parameter ${name} is repeated.`,
        );
    const bearer = { headers: { authorization: 'Bearer x' } } as Request;
    expect(clientCredentials(bearer, form('client_id=a'))).to.equal(undefined);
  });

  it('sends a field once: empty and repeated fields count as absent', () => {
    const sent = form('a=1&b=&c=1&c=1');
    expect(['a', 'b', 'c', 'd'].map((name) => singleField(sent, name))).to.deep.equal([
      '1',
      undefined,
      undefined,
      undefined,
    ]);
  });
});

describe('readForm', () => {
  const MAX = 56 * 1024;
  function request(body: string, headers: Record<string, string> = {}, isForm = true): Request {
    const chunks = body.match(/[^]{1,10000}/g) ?? [];
    const stream = Readable.from(chunks.map((chunk) => Buffer.from(chunk)));
    const is = (type: string): boolean => isForm && type === 'application/x-www-form-urlencoded';
    return Object.assign(stream, { headers, is }) as unknown as Request;
  }

  it('reads a form of up to 56 KiB', async () => {
    const read = await readForm(request('a=1&b=%C3%BC'));
    expect([read?.fields.get('a'), read?.fields.get('b'), read?.bytes.toString()]).to.deep.equal([
      '1',
      'ü',
      'a=1&b=%C3%BC',
    ]);
    const longest = `a=${'x'.repeat(MAX - 2)}`;
    expect((await readForm(request(longest)))?.bytes.length).to.equal(MAX);
    expect((await readForm(request('a=1', { 'content-length': String(MAX) })))?.fields.get('a')).to.equal(
      '1',
    );
  });

  it('returns nothing for another content type, and refuses a longer body', async () => {
    expect(await readForm(request('a=1', {}, false))).to.equal(undefined);
    const longer = request(`a=${'x'.repeat(MAX - 1)}`);
    for (const sent of [longer, request('a=1', { 'content-length': String(MAX + 1) })])
      expect(await readForm(sent).catch((error: ServiceError) => error.code)).to.equal('payload_too_large');
  });

  it("calls a form that ends early the client's mistake", async () => {
    const sent = request('a=1', { 'content-length': '100' });
    const reading = readForm(sent);
    sent.destroy(Object.assign(new Error('aborted'), { code: 'ECONNRESET' }));
    expect(await reading.catch((error: ServiceError) => error.code)).to.equal('invalid_request');
  });

  it('refuses NUL in names and values', async () => {
    for (const body of ['a=%00', '%00=a']) {
      const refused: unknown = await readForm(request(body)).catch((error: unknown) => error);
      expect(refused).to.be.instanceOf(ServiceError);
      const { code, message } = refused as ServiceError;
      expect([code, message]).to.deep.equal([
        'invalid_request',
        'A parameter must not contain the NUL character.',
      ]);
    }
  });
});

describe('an app as a client of OAuth', () => {
  it('has metadata with the hashes of its valid secrets', async () => {
    expect(await findClient(directory(APP) as never, 'app_1', NOW)).to.deep.equal({
      client_id: 'app_1',
      client_name: 'Harbour Books',
      client_secret: ['present', 'previous', 'older'].map(hashSecretToken).join(' '),
      application_type: 'web',
      redirect_uris: ['https://partner.example/cb'],
      response_types: ['code'],
      grant_types: ['authorization_code', 'refresh_token', 'client_credentials'],
      token_endpoint_auth_method: 'client_secret_basic',
      scope: 'openid email apps:read claims:read',
    });
  });

  it('has no secret when public, and is native with a redirect URI of another scheme', async () => {
    const native = { ...PUBLIC, redirect_uris: ['https://partner.example/cb', 'com.partner.app:/cb'] };
    const client = await findClient(directory(native) as never, 'app_1', NOW);
    expect(client).to.not.have.property('client_secret');
    expect(client).to.deep.include({
      application_type: 'native',
      grant_types: ['authorization_code', 'refresh_token'],
      token_endpoint_auth_method: 'none',
    });
    const local = { ...PUBLIC, redirect_uris: ['HTTP://127.0.0.1/cb'] };
    expect((await findClient(directory(local) as never, 'app_1', NOW))?.['application_type']).to.equal('web');
    const tricky = { ...PUBLIC, redirect_uris: ['com.https:/cb'] };
    expect((await findClient(directory(tricky) as never, 'app_1', NOW))?.['application_type']).to.equal(
      'native',
    );
  });

  it('is undefined when the app does not exist', async () => {
    expect(await findClient(directory() as never, 'app_1', NOW)).to.equal(undefined);
  });
});

describe('The reach of a token', () => {
  it('consists of the scopes that the token, its app and its member all have', () => {
    const app = ['apps:read', 'claims:read', 'nonsense'];
    expect(reachOf('apps:read claims:read events:read nonsense openid', app, null)).to.deep.equal([
      'apps:read',
      'claims:read',
    ]);
    expect(reachOf('apps:read claims:read', app, ['claims:read', 'events:read'])).to.deep.equal([
      'claims:read',
    ]);
    expect(reachOf('apps:read', app, [])).to.deep.equal([]);
    expect(reachOf(null, app, null)).to.deep.equal([]);
    for (const text of ['', 'openid', 'openid apps:read'])
      expect(() => refuseUnrequestable(text), text).to.not.throw();
    for (const text of ['nonsense', 'openid nonsense', ' ', 'openid  apps:read', ' openid'])
      expect(() => refuseUnrequestable(text), text).to.throw('invalid_scope');
  });
});

describe('The device cookie of a browser that signed in', () => {
  const secrets = new SecretBox('a-secret-of-at-least-32-characters');
  const passwordHash = 'a hash';
  const account = { accountId: 'acc_1', passwordHash };
  function mark(baseUrl: string, before = '', of = account): { cookie: string; sent: string } {
    let header = '';
    const response = { append: (_name: string, value: string) => (header = value) } as unknown as Response;
    const request = { headers: { cookie: before } };
    rememberDevice({ config: { baseUrl } as Config, secrets }, request, response, of);
    return { cookie: header, sent: header.split(';')[0] ?? '' };
  }

  it('is valid only for its account and password', () => {
    const { cookie, sent } = mark('https://api.example');
    expect(cookie).to.match(
      /^__Host-device=[\w-]{22}\.[\w-]+\.[\w-]+; Path=\/; HttpOnly; SameSite=Lax; Max-Age=31536000; Secure$/,
    );
    const config = { baseUrl: 'https://api.example' } as Config;
    const value = deviceMark({ config, secrets }, { headers: { cookie: sent } });
    const [id] = value?.split('.') ?? [];
    expect(knownDevice({ secrets }, account, value)).to.equal(id);
    expect(knownDevice({ secrets }, { ...account, accountId: 'acc_2' }, value)).to.equal(undefined);
    expect(knownDevice({ secrets }, { ...account, passwordHash: 'b' }, value)).to.equal(undefined);
    expect(knownDevice({ secrets }, { ...account, passwordHash: null }, value)).to.equal(undefined);
    expect(knownDevice({ secrets }, undefined, value)).to.equal(undefined);
    expect(mark('https://api.example').sent, 'each has its own').to.not.equal(sent);
  });

  it('keeps its mark when the browser signs in again, unless the mark is not valid', () => {
    const { sent } = mark('https://api.example');
    expect(mark('https://api.example', sent).sent).to.equal(sent);
    const other = { ...account, accountId: 'acc_2' };
    for (const [before, of] of [
      [sent.replace(/\.(?=[^.]*$)/, 'x.'), account],
      [sent, other],
    ] as const)
      expect(mark('https://api.example', before, of).sent.slice(0, 36)).not.to.equal(sent.slice(0, 36));
  });

  it('names the browser whatever the account and its password, unless it is forged', () => {
    const { sent } = mark('http://localhost:4000');
    const services = { config: { baseUrl: 'http://localhost:4000' } as Config, secrets };
    const browserOf = (cookie: string) => knownBrowser(services, { headers: { cookie } });
    const [id = '', mac = ''] = sent.replace('device=', '').split('.');
    expect(browserOf(sent)).to.equal(id);
    const forged = [`${sent}x`, `device=${id}.${mac}`, `device=${id}.${mac}.${mac}`, 'device=..', 'device='];
    for (const cookie of [...forged, sent.replace('=', '=x'), 'other=x'])
      expect(browserOf(cookie), cookie).to.equal(undefined);
  });

  it('is invalid when it is forged or malformed', () => {
    const bare = secrets.mac('device', 'acc_1  a hash');
    for (const made of [undefined, '', '.', 'x', 'x.', `.${bare}`, `x.${bare}`])
      expect(knownDevice({ secrets }, account, made), made).to.equal(undefined);
    const { sent } = mark('http://localhost:4000');
    expect(sent).to.match(/^device=/);
    const plain = { baseUrl: 'http://localhost:4000' } as Config;
    expect(deviceMark({ config: plain, secrets }, { headers: { cookie: sent } })).to.equal(sent.slice(7));
    expect(deviceMark({ config: plain, secrets }, { headers: {} })).to.equal(undefined);
  });
});
