import { expect } from 'chai';
import type { Route } from '../../rest-bridge/Route.js';
import { allRoutes } from '../../rest-bridge/routes/allRoutes.js';
import { ALL_SCOPES } from '../../src/domain/scopes.js';
import type { Scope } from '../../src/domain/scopes.js';
import { hashSecretToken } from '../../src/domain/secretToken.js';
import { routeCases } from '../rest-bridge/routeCases.js';
import { recordProof } from '../support/recordProof.js';
import type { Answer, TestPartner } from '../support/TestPartner.js';
import { TestService } from '../support/TestService.js';

const SCOPES = ALL_SCOPES.filter((scope) => scope !== 'offline_access');

/** What came of a request: let in whatever then became of it, or turned away, and why. */
type Verdict = 'in' | 'scope' | 'credential';

describe('The matrix of routes and scopes', function () {
  this.timeout(300_000);
  let service: TestService;
  let app: TestPartner;
  const by = new Map<Scope, TestPartner>();

  before(async () => {
    service = await TestService.start({ ROLE: 'gateway' });
    app = await service.makeApp();
    for (const scope of SCOPES) by.set(scope, await service.narrowed(app, scope));
  });
  after(() => service.stop());

  const routes = allRoutes.map((route) => ({ route, needs: routeCases[route.operation]?.needs }));

  /** Asks for what cannot be there, without a key: nothing happens, and the checks before that tell. */
  async function probe(caller: TestPartner, { method, path }: Route): Promise<Verdict> {
    const address = path.replaceAll(/[:{][a-z_]+}?/gi, 'xxx_01kafem1xve7vbs97sn4r71brf');
    const body = method === 'GET' || method === 'DELETE' ? undefined : {};
    return verdictOf(await caller.rest(method, address, body, { 'idempotency-key': '' }));
  }

  function verdictOf({ status, text }: Answer): Verdict {
    if (status === 401) return 'credential';
    if (status === 403) return 'scope';
    expect(status, text).to.be.oneOf([200, 400, 404, 422]);
    return 'in';
  }

  function expected(needs: Scope | 'admin' | undefined, scope: Scope): Verdict {
    if (needs === 'admin') return 'credential';
    return needs === scope ? 'in' : 'scope';
  }

  /** Where the answer differs from the matrix. */
  async function deviations(rule: typeof expected): Promise<string[]> {
    const found: string[] = [];
    for (const { route, needs } of routes) {
      const verdicts = await Promise.all(
        SCOPES.map(async (scope) => [scope, await probe(by.get(scope) ?? app, route)] as const),
      );
      for (const [scope, verdict] of verdicts)
        if (verdict !== rule(needs, scope)) found.push(`${route.operation} by ${scope}: ${verdict}`);
    }
    return found;
  }

  it('allows every route only with its scope', async () => {
    expect(await deviations(expected)).to.deep.equal([]);
    // The matrix can fail: one route that asked for another scope is seen by both scopes.
    const [place] = routes.filter(({ needs }) => needs === 'customers:read');
    const broken = await deviations((needs, scope) =>
      needs === place?.needs && scope === 'customers:write' ? 'in' : expected(needs, scope),
    );
    expect(broken).to.not.deep.equal([]);
    recordProof({
      proof: 'scopeMatrix',
      injected:
        'every route of /v1 asked with each single scope; tokens expired, revoked, of a disabled app, of a removed member',
      times: routes.length * SCOPES.length,
      checked: 'the one scope lets in, every other is 403, what is no longer good is 401',
      figure: '0 deviations',
      broken: `a rule that names one scope wrongly: ${broken.length} deviations`,
    });
  });

  describe('with a token of every scope', () => {
    /** Routes that let the caller in. */
    async function open(caller: TestPartner): Promise<string[]> {
      const verdicts = await Promise.all(
        routes.map(async ({ route }) => [route.operation, await probe(caller, route)] as const),
      );
      return verdicts.filter(([, verdict]) => verdict !== 'credential').map(([operation]) => operation);
    }

    /** Nodes hear of a change within a second; until then a token may be remembered. */
    async function shut(caller: TestPartner): Promise<void> {
      while ((await caller.rest('GET', '/v1/customers')).status !== 401);
      expect(await open(caller)).to.deep.equal([]);
    }

    const bearerOf = ({ credentials }: TestPartner): string => (credentials['authorization'] ?? '').slice(7);

    it('refuses it after its expiry', async () => {
      const caller = await service.makeApp();
      await service.sql(
        `UPDATE oauth_artifacts SET expires_at = now() - interval '1 second' WHERE id_hash = $1`,
        [hashSecretToken(bearerOf(caller))],
      );
      await shut(caller);
    });

    it('refuses it after its revocation', async () => {
      const caller = await service.makeApp();
      await fetch(`${service.url}/oauth/revoke`, {
        method: 'POST',
        headers: {
          authorization: `Basic ${Buffer.from(`${caller.appId}:${caller.clientSecret}`).toString('base64')}`,
        },
        body: new URLSearchParams({ token: bearerOf(caller) }),
      });
      await shut(caller);
    });

    it('refuses it after its app was disabled', async () => {
      const caller = await service.makeApp();
      await service.admin.rest('PATCH', `/v1/apps/${caller.appId}`, { status: 'disabled' });
      await shut(caller);
    });

    it('refuses it after its member was removed', async () => {
      const caller = await service.makeApp();
      const hash = hashSecretToken(bearerOf(caller));
      await service.sql(
        `WITH person AS (INSERT INTO accounts (account_id, email, email_verified, created_at, updated_at)
                         VALUES ('acc_member', 'member@people.example', true, now(), now())
                           RETURNING account_id),
              member AS (INSERT INTO app_members (app_id, account_id, scopes, created_at, updated_at)
                         SELECT $1, account_id, $2, now(), now() FROM person)
         UPDATE oauth_artifacts SET account_id = person.account_id FROM person WHERE id_hash = $3`,
        [caller.appId, SCOPES, hash],
      );
      const [first] = routes.filter(({ needs }) => needs === 'customers:read');
      if (first === undefined) throw new Error('There is no such route.');
      expect(await probe(caller, first.route)).to.equal('in');
      await service.sql(`DELETE FROM app_members WHERE account_id = 'acc_member'`);
      await shut(caller);
    });
  });
});
