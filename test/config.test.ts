import { expect } from 'chai';
import { ConfigError, configFrom } from '../src/config.js';
import type { Environment } from '../src/config.js';

function problemsOf(env: Environment): readonly string[] {
  try {
    configFrom(env);
    return [];
  } catch (error) {
    if (error instanceof ConfigError) return error.problems;
    throw error;
  }
}

describe('config', () => {
  it('requires strong secrets in production, and reports all problems at once', () => {
    expect(problemsOf({ NODE_ENV: 'production', PORT: 'x' })).to.have.lengthOf(3);
    expect(problemsOf({ NODE_ENV: 'production', ADMIN_KEYS: 'weak', SECRETS_KEY: 'weak' })).to.have.lengthOf(
      2,
    );
    const strong = { NODE_ENV: 'production', ADMIN_KEYS: 'a'.repeat(16), SECRETS_KEY: 's'.repeat(32) };
    expect(problemsOf(strong)).to.deep.equal([]);
  });

  it('reports each problem once', () => {
    expect(problemsOf({ BASE_URL: 'nowhere' })).to.have.lengthOf(1);
  });

  it('accepts trusted proxies by number, address or network, and nothing else', () => {
    const proxies = (text: string): unknown => configFrom({ TRUSTED_PROXIES: text }).trustedProxies;
    expect([proxies(''), proxies('2')]).to.deep.equal([[], 2]);
    expect(proxies('loopback, 10.0.0.0/8,2001:db8::/32,192.0.2.7')).to.have.length(4);
    for (const text of [
      'all',
      'true',
      '11',
      '-1',
      '1,2',
      '10.0.0.0/40',
      'proxy.example',
      '0x7f000001',
      '10.0.0.1;',
    ])
      expect(problemsOf({ TRUSTED_PROXIES: text }), text).to.have.lengthOf(1);
  });

  it('requires an origin in BASE_URL, and takes it in any spelling', () => {
    for (const url of [
      'https://consent.example/api',
      'https://consent.example?a=1',
      'https://a:b@consent.example',
    ])
      expect(problemsOf({ BASE_URL: url }), url).to.deep.equal([
        'BASE_URL must be an origin, without a path, a query or credentials.',
      ]);
    for (const url of ['HTTPS://Consent.Example/', 'https://consent.example:443'])
      expect(configFrom({ BASE_URL: url }).baseUrl, url).to.equal('https://consent.example');
  });

  it('requires http or https in BASE_URL', () => {
    expect(problemsOf({ BASE_URL: 'consent.example' })).to.deep.equal([
      'BASE_URL must be a URL starting with http:// or https://.',
    ]);
  });

  it('refuses rate limits of unknown names, those that every object has too', () => {
    for (const limits of ['reads=5', 'toString=5', 'constructor=5', 'read=0', 'read=1=2'])
      expect(problemsOf({ RATE_LIMITS: limits }).join(), limits).to.match(
        /^RATE_LIMITS must be "off" or pairs/,
      );
    expect(problemsOf({ RATE_LIMITS: 'read=5, write=7' })).to.deep.equal([]);
  });

  it('refuses a malformed sender of mails, a mail server without a host, and a key given twice', () => {
    for (const from of ['<a@b', 'a@b>', 'Name a@b', 'Name <a@b> more'])
      expect(problemsOf({ MAIL_FROM: from }).join(), from).to.match(/^MAIL_FROM must be an address/);
    for (const from of ['a@b.example', '<a@b.example>', 'Name <a@b.example>'])
      expect(problemsOf({ MAIL_FROM: from }), from).to.deep.equal([]);
    for (const url of ['smtp://', 'smtp:mail.example', 'smtps:///mail'])
      expect(problemsOf({ SMTP_URL: url }).join(), url).to.match(/^SMTP_URL must be a URL .* with a host\.$/);
    expect(problemsOf({ SECRETS_KEY: 'ab,cd,ab' })).to.deep.equal(['SECRETS_KEY must name each key once.']);
  });

  it('accepts any secrets in development', () => {
    expect(problemsOf({})).to.deep.equal([]);
    expect(configFrom({ ADMIN_KEYS: 'one, two', SECRETS_KEY: 'x' }).secrets).to.deep.equal({
      adminKeys: ['one', 'two'],
      secretsKey: 'x',
    });
  });

  it('has the defaults of the specification', () => {
    expect(configFrom({})).to.deep.include({
      environment: 'development',
      port: 4000,
      host: '127.0.0.1',
      baseUrl: 'http://localhost:4000',
      databaseUrl: undefined,
      dataDir: '.data',
      role: 'all',
      rateLimits: { read: 6000, write: 3000, ingest: 60_000, token: 120 },
    });
  });
});
