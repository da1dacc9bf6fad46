import { expect } from 'chai';
import type { Answer, TestPartner } from '../support/TestPartner.js';
import { TestService } from '../support/TestService.js';
import { expectStatus } from '../support/records.js';

describe('A rotation of an app secret', () => {
  let service: TestService;

  before(async () => {
    service = await TestService.start();
  });
  after(() => service.stop());

  const rotate = (by: TestPartner, id: string, body?: object): Promise<Answer> =>
    by.rest('POST', `/v1/apps/${id}/rotate-secret`, body);
  const basic = ({ appId }: TestPartner, secret: string): Record<string, string> => ({
    authorization: `Basic ${Buffer.from(`${appId}:${secret}`).toString('base64')}`,
  });
  /** Whether the secret is good at all three endpoints that ask for one; they must agree. */
  const isGood = async (app: TestPartner, secret: string): Promise<boolean> => {
    const post = async (path: string, fields: Record<string, string>): Promise<number> =>
      (
        await fetch(service.url + path, {
          method: 'POST',
          headers: basic(app, secret),
          body: new URLSearchParams(fields),
        })
      ).status;
    const statuses = [
      await post('/oauth/token', { grant_type: 'client_credentials' }),
      await post('/oauth/introspect', { token: 'nobody' }),
      await post('/oauth/revoke', { token: 'nobody' }),
    ];
    expect(new Set(statuses).size, statuses.join()).to.equal(1);
    return statuses[0] === 200;
  };

  it('shows a new one once, and keeps the present one for 24 hours', async () => {
    const app = await service.makeApp();
    const answer = await rotate(app, app.appId);
    const { app: shown, client_secret: fresh } = expectStatus(answer, 200);
    expect(shown.id).to.equal(app.appId);
    expect(answer.headers.get('cache-control')).to.equal('no-store');
    expect(await isGood(app, fresh)).to.equal(true);
    expect(await isGood(app, app.clientSecret)).to.equal(true);
    const [times] = await service.sql(
      `UPDATE apps SET previous_secret_expires_at = previous_secret_expires_at - interval '24 hours'
        WHERE app_id = $1
       RETURNING previous_secret_expires_at AS ends, updated_at AS rotated`,
      [app.appId],
    );
    expect(times.ends).to.deep.equal(times.rotated);
    expect(await isGood(app, app.clientSecret)).to.equal(false);
    expect(await isGood(app, fresh)).to.equal(true);
    expect((await service.admin.rest('GET', `/v1/apps/${app.appId}`)).text).to.not.include('secret');
  });

  it('ends the present secret at once on request, and its tokens stay valid', async () => {
    const app = await service.makeApp();
    const { client_secret: fresh } = expectStatus(
      await rotate(app, app.appId, { expire_current: 'now' }),
      200,
    );
    expect(await isGood(app, app.clientSecret)).to.equal(false);
    expect(await isGood(app, fresh)).to.equal(true);
    expectStatus(await app.rest('GET', `/v1/apps/${app.appId}`), 200);
  });

  it('accepts every former one for its own 24 hours, however often it is rotated', async () => {
    const app = await service.makeApp();
    const { client_secret: second } = expectStatus(
      await rotate(app, app.appId, { expire_current: 'in_24h' }),
      200,
    );
    const { client_secret: third } = expectStatus(await rotate(app, app.appId), 200);
    const { client_secret: fourth } = expectStatus(await rotate(app, app.appId), 200);
    const good = async (): Promise<boolean[]> => {
      const found: boolean[] = [];
      for (const secret of [app.clientSecret, second, third, fourth]) found.push(await isGood(app, secret));
      return found;
    };
    expect(await good()).to.deep.equal([true, true, true, true]);
    // The first was rotated away 24 hours ago, the others later.
    await service.sql(
      `UPDATE apps SET older_secrets = jsonb_set(older_secrets, '{1,expires_at}',
        to_jsonb('2026-01-01T00:00:00.000Z'::text))
        WHERE app_id = $1`,
      [app.appId],
    );
    expect(await good()).to.deep.equal([false, true, true, true]);
    expectStatus(await rotate(app, app.appId, { expire_current: 'now' }), 200);
    expect(await good(), 'now ends them all').to.deep.equal([false, false, false, false]);
  });

  it('refuses more than 10 former secrets at a time, and takes more once one has ended', async () => {
    const app = await service.makeApp();
    for (let turns = 0; turns < 10; turns += 1) expectStatus(await rotate(app, app.appId), 200);
    expect(expectStatus(await rotate(app, app.appId), 409).error.code).to.equal('conflict');
    expect(await isGood(app, app.clientSecret)).to.equal(true);
    await service.sql(
      `UPDATE apps SET older_secrets = jsonb_set(older_secrets, '{-1,expires_at}',
        to_jsonb('2026-01-01T00:00:00.000Z'::text))
        WHERE app_id = $1`,
      [app.appId],
    );
    expectStatus(await rotate(app, app.appId), 200);
    expect(await isGood(app, app.clientSecret)).to.equal(false);
    expectStatus(await rotate(app, app.appId, { expire_current: 'now' }), 200);
    expectStatus(await rotate(app, app.appId), 200);
  });

  it('takes an administrative key, and of tokens only those of the app itself with apps:write', async () => {
    const [app, other] = [await service.makeApp(), await service.makeApp()];
    expectStatus(await rotate(service.admin, app.appId), 200);
    expectStatus(await rotate(service.admin, 'app_00000000000000000000000000'), 404);
    expectStatus(await rotate(other, app.appId), 404);
    expectStatus(await rotate(await service.narrowed(app, 'apps:read'), app.appId), 403);
    expectStatus(await rotate(service.nobody, app.appId), 401);
    expect(
      expectStatus(await rotate(app, app.appId, { expire_current: 'later' }), 422).error.details[0].field,
    ).to.equal('expire_current');
    const client = await service.admin.rest('POST', '/v1/apps', {
      name: 'Page',
      redirect_uris: ['https://page.example/cb'],
      scopes: ['apps:read'],
      client_type: 'public',
    });
    expectStatus(await rotate(service.admin, expectStatus(client, 201).app_id), 409);
  });

  it('replays the same secret under the same key, through both doors, and stores it sealed', async () => {
    const app = await service.makeApp();
    const key = { 'idempotency-key': 'rotate-once-0123456789' };
    const path = `/v1/apps/${app.appId}/rotate-secret`;
    const { client_secret: fresh } = expectStatus(await app.rest('POST', path, undefined, key), 200);
    const again = await app.rest('POST', path, {}, key);
    expect(expectStatus(again, 200).client_secret).to.equal(fresh);
    expect(again.headers.get('idempotent-replayed')).to.equal('true');
    const { data } = await app.graphql(
      'mutation ($id: ID!, $key: String!) { rotateAppSecret(id: $id, idempotencyKey: $key) { clientSecret app { id } } }',
      { id: app.appId, key: key['idempotency-key'] },
    );
    expect(data.rotateAppSecret).to.deep.equal({ clientSecret: fresh, app: { id: app.appId } });
    const rows = await service.sql('SELECT * FROM idempotency_keys WHERE app_id = $1', [app.appId]);
    const apps = await service.sql('SELECT * FROM apps WHERE app_id = $1', [app.appId]);
    expect(JSON.stringify([rows, apps])).to.not.include(fresh);
  });

  it('fails no token request under load', async () => {
    const app = await service.makeApp();
    let [older, newest] = [app.clientSecret, app.clientSecret];
    const load = { turning: true, asked: 0 };
    // A partner who rolls out: its processes have the newest secret or the one before.
    const ask = async (): Promise<void> => {
      for (; load.turning; load.asked += 1)
        for (const clientSecret of [older, newest]) await service.token({ appId: app.appId, clientSecret });
    };
    const asking = Promise.all([ask(), ask(), ask()]);
    const lap = async (): Promise<void> => {
      const end = load.asked + 6;
      while (load.asked < end) await new Promise((wake) => setTimeout(wake, 5));
    };
    const turn = async (): Promise<void> => {
      for (let turns = 0; turns < 4; turns += 1) {
        older = newest;
        await lap();
        newest = expectStatus(await rotate(service.admin, app.appId), 200).client_secret;
        await lap();
      }
      load.turning = false;
    };
    await Promise.race([asking, turn()]);
    await asking;
    expect(load.asked).to.be.greaterThan(20);
  });
});
