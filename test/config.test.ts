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
  it('of production needs its secrets, strong ones, and tells all that is wrong at once', () => {
    expect(problemsOf({ NODE_ENV: 'production', PORT: 'x' })).to.have.lengthOf(3);
    expect(problemsOf({ NODE_ENV: 'production', ADMIN_KEYS: 'weak', SECRETS_KEY: 'weak' })).to.have.lengthOf(2);
    const strong = { NODE_ENV: 'production', ADMIN_KEYS: 'a'.repeat(16), SECRETS_KEY: 's'.repeat(32) };
    expect(problemsOf(strong)).to.deep.equal([]);
  });

  it('of development takes any', () => {
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
