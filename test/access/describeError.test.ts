import { expect } from 'chai';
import { GraphQLError } from 'graphql';
import { describeError, isOurFault } from '../../src/access/describeError.js';
import { identifyAgain } from '../../src/access/identifyAgain.js';
import type { Caller } from '../../src/access/Caller.js';
import { ServiceError } from '../../src/errors.js';

const failure = (code: string): Error => Object.assign(new Error(`secret text ${code}`), { code });

describe('the error shown to a client', () => {
  it('is the ServiceError itself, also if GraphQL wrapped it', () => {
    const known = new ServiceError('conflict', 'No.');
    expect(describeError(known)).to.equal(known);
    expect(describeError(new GraphQLError('wrapped', { originalError: known, path: ['a'] }))).to.equal(known);
  });

  it('is 503 for a passing failure of the database', () => {
    for (const code of [
      '40001',
      '40P01',
      '55006',
      '55P03',
      '57014',
      '53300',
      '58030',
      '53400',
      '28P01',
      '28000',
      '3D000',
      '25006',
      '08006',
      '57P01',
      'ECONNREFUSED',
    ]) {
      const described = describeError(failure(code));
      expect([described.code, described.status, described.message], code).to.deep.equal([
        'unavailable',
        503,
        'The service cannot answer right now.',
      ]);
      expect(described.facts.retryAfterSeconds).to.equal(1);
    }
    const ended = new Error('Cannot use a pool after calling end on the pool');
    expect(describeError(ended).code).to.equal('unavailable');
    const inside = new GraphQLError('x', { originalError: failure('57014'), path: ['a'] });
    expect(describeError(inside).code).to.equal('unavailable');
  });

  it('is 500 without details for anything else', () => {
    const strange = [
      failure('23505'),
      failure('155P03'),
      failure('55P031'),
      failure('3D0001'),
      new Error('secret'),
      'text',
      undefined,
    ];
    for (const error of strange) {
      const described = describeError(error);
      expect([described.code, described.message]).to.deep.equal([
        'internal_error',
        'Something went wrong on our side.',
      ]);
    }
    expect(describeError(new GraphQLError('at a field', { path: ['a'] })).code).to.equal('internal_error');
    const inner = new GraphQLError('secret text', { originalError: new Error('secret') });
    const twice = new GraphQLError('wrapped', { originalError: inner });
    expect(describeError(twice).code, 'GraphQL wrapped it twice').to.equal('internal_error');
  });

  it("is GraphQL's message for a request that it refused before execution", () => {
    const described = describeError(new GraphQLError('Cannot query field "x".'));
    expect([described.code, described.message]).to.deep.equal(['invalid_request', 'Cannot query field "x".']);
  });

  it('counts as a failure of the service from status 500 on', () => {
    expect(isOurFault(new ServiceError('unavailable', ''))).to.equal(true);
    expect(isOurFault(new ServiceError('internal_error', ''))).to.equal(true);
    expect(isOurFault(new ServiceError('rate_limited', ''))).to.equal(false);
  });
});

describe('the sender of a body', () => {
  const app: Caller = { kind: 'app', appId: 'app_1', clientId: 'app_1', scopes: new Set() };
  const nobody: Caller = { kind: 'anonymous', reason: 'It ended.' };
  const longAgo = (): number => performance.now() - 60_000;

  it('is not authenticated again if the body arrives at once', async () => {
    expect(
      await identifyAgain(performance.now() + 60_000, app, () => Promise.reject(new Error('asked'))),
    ).to.equal(app);
  });

  it('is authenticated again if the body arrives slowly, which an ended credential fails', async () => {
    const other: Caller = { ...app, appId: 'app_2' };
    expect(await identifyAgain(longAgo(), app, () => Promise.resolve(other))).to.equal(other);
    expect(await identifyAgain(longAgo(), nobody, () => Promise.resolve(nobody))).to.equal(nobody);
    const refused = await identifyAgain(longAgo(), app, () => Promise.resolve(nobody)).catch(
      (error: unknown) => error,
    );
    expect([(refused as ServiceError).code, (refused as ServiceError).message]).to.deep.equal([
      'unauthenticated',
      'It ended.',
    ]);
  });
});
