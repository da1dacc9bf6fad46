import { expect } from 'chai';
import type { Caller } from '../../src/access/Caller.js';
import { authorize, requireScopes } from '../../src/access/FieldAccess.js';
import type { FieldAccess } from '../../src/access/FieldAccess.js';
import type { Scope } from '../../src/domain/scopes.js';
import { ServiceError } from '../../src/errors.js';

const admin: Caller = { kind: 'admin', key: 'abcd' };
const nobody: Caller = { kind: 'anonymous', reason: 'Nobody asked.' };
const app = (...scopes: Scope[]): Caller => ({
  kind: 'app',
  appId: 'app_1',
  clientId: 'app_1',
  scopes: new Set(scopes),
});

function refusal(work: () => void): ServiceError | undefined {
  try {
    work();
    return undefined;
  } catch (error) {
    if (error instanceof ServiceError) return error;
    throw error;
  }
}

const verdict = (access: FieldAccess, caller: Caller): string | undefined =>
  refusal(() => authorize(access, caller))?.code;

describe('authorization of a field', () => {
  it('lets everybody use an open field', () => {
    const open: FieldAccess = { admin: false, publicReason: 'health' };
    for (const caller of [admin, nobody, app()]) expect(verdict(open, caller)).to.equal(undefined);
  });

  it('requires all scopes of one alternative', () => {
    const access: FieldAccess = { admin: false, scopes: [['apps:read', 'apps:write'], ['claims:read']] };
    expect(verdict(access, app('apps:read', 'apps:write'))).to.equal(undefined);
    expect(verdict(access, app('claims:read', 'events:read'))).to.equal(undefined);
    for (const caller of [app(), app('apps:read'), app('apps:write', 'events:read')])
      expect(verdict(access, caller)).to.equal('insufficient_scope');
    expect(verdict(access, nobody)).to.equal('unauthenticated');
    expect(verdict(access, admin)).to.equal('unauthenticated');
  });

  it('accepts scopes or the administrative key where both are named', () => {
    const access: FieldAccess = { admin: true, scopes: [['apps:read']] };
    expect(verdict(access, admin)).to.equal(undefined);
    expect(verdict(access, app('apps:read'))).to.equal(undefined);
    expect(verdict(access, app('apps:write'))).to.equal('insufficient_scope');
    expect(verdict(access, nobody)).to.equal('unauthenticated');
  });

  it('refuses every token where only the administrative key is named', () => {
    const access: FieldAccess = { admin: true };
    expect(verdict(access, admin)).to.equal(undefined);
    const refused = refusal(() => authorize(access, app('apps:read', 'apps:write')));
    expect(refused?.code).to.equal('unauthenticated');
    expect(refused?.message).to.equal('An administrative key is required.');
  });

  it('adds nothing for a field behind the consent gate below a field with scopes', () => {
    expect(verdict({ admin: false }, app())).to.equal(undefined);
    expect(verdict({ admin: false }, admin)).to.equal('unauthenticated');
  });

  it('names the scopes that the nearest alternative lacks, and the reason for no credential', () => {
    const access: FieldAccess = {
      admin: false,
      scopes: [
        ['apps:read', 'apps:write', 'claims:read'],
        ['events:read', 'apps:read'],
      ],
    };
    const refused = refusal(() => authorize(access, app('apps:read')));
    expect(refused?.facts.details?.map(({ message }) => message)).to.deep.equal([
      'The scope events:read is required.',
    ]);
    expect(refused?.message).to.include('lacks the scope events:read.');
    expect(refused?.facts).to.deep.include({ missingScopes: ['events:read'], gate: 'scope' });
    expect(refusal(() => authorize(access, nobody))?.message).to.equal('Nobody asked.');
    expect(refusal(() => authorize(access, admin))?.message).to.equal(
      'An access token is required here; the administrative key does not count.',
    );
  });

  it('names the first of two alternatives that are equally near, and all that it lacks', () => {
    const access: FieldAccess = {
      admin: false,
      scopes: [
        ['apps:read', 'apps:write'],
        ['events:read', 'claims:read'],
        ['claims:read', 'apps:read', 'events:read'],
      ],
    };
    const refused = refusal(() => authorize(access, app()));
    expect(refused?.message).to.equal('The access token lacks the scope apps:read apps:write.');
  });

  it('requires the scopes of an argument from tokens only', () => {
    expect(
      refusal(() => requireScopes(app('apps:read', 'claims:read'), 'apps:read', 'claims:read')),
    ).to.equal(undefined);
    const lacking = refusal(() => requireScopes(app('apps:read'), 'apps:read', 'claims:read'));
    expect(lacking?.facts.details?.map(({ code }) => code)).to.deep.equal(['missing_scope']);
    expect(refusal(() => requireScopes(nobody, 'apps:read'))?.code).to.equal('insufficient_scope');
  });
});
