import { expect } from 'chai';
import { compactVerify, createRemoteJWKSet } from 'jose';
import pg from 'pg';
import type { Json, TestPartner } from '../support/TestPartner.js';
import { TestService } from '../support/TestService.js';
import {
  claimBody,
  expectStatus,
  finished,
  grant,
  makeCustomer,
  revoke,
  sendClaims,
} from '../support/records.js';

describe('Consent receipts', () => {
  let service: TestService;
  let app: TestPartner;

  before(async () => {
    service = await TestService.start();
    app = await service.makeApp();
  });
  after(() => service.stop());

  const receiptOf = async (id: string): Promise<Json> =>
    expectStatus(await app.rest('GET', `/v1/consent-receipts/${id}`), 200);

  async function effective(customer: string): Promise<Record<string, string>> {
    const body = expectStatus(await app.rest('GET', `/v1/customers/${customer}/effective-consent`), 200);
    return Object.fromEntries(
      (body.purposes as { purpose: string; status: string }[]).map(({ purpose, status }) => [
        purpose,
        status,
      ]),
    );
  }

  /** Whether the profile of the purpose can be read, through both doors alike. */
  async function readable(customer: string, purpose: string): Promise<boolean> {
    const rest = await app.rest('GET', `/v1/profiles/${customer}?consent_purpose=${purpose}`);
    const query =
      'query($id: ID!, $p: ConsentPurpose) { resolvedProfile(customerId: $id, consentPurpose: $p) { customerId } }';
    const { data, errors } = await app.graphql(query, { id: customer, p: purpose.toUpperCase() });
    if (rest.status === 200) {
      expect(data.resolvedProfile.customerId).to.equal(customer);
      return true;
    }
    expect([rest.status, rest.body.error.code]).to.deep.equal([403, 'consent_denied']);
    expect(data.resolvedProfile).to.equal(null);
    expect(errors[0]?.extensions).to.deep.include({
      code: 'CONSENT_DENIED',
      status: 403,
      purpose: purpose.toUpperCase(),
    });
    return false;
  }

  it('have times in the order of the decisions, however many come at once', async () => {
    const customer = await makeCustomer(app);
    const receipt = await grant(app, customer, 'measurement');
    for (let round = 0; round < 5; round += 1)
      await Promise.all(
        Array.from({ length: 8 }, (_, place) =>
          place % 2 === 0 ? grant(app, customer, 'measurement') : revoke(app, receipt),
        ),
      );
    const rows = await service.sql(
      `SELECT record::jsonb ->> 'decided_at' AS at FROM consent_ledger
        WHERE app_id = $1 AND record::jsonb ->> 'customer_id' = $2 ORDER BY ledger_sequence`,
      [app.appId, customer],
    );
    const times = rows.map(({ at }) => Date.parse(String(at)));
    expect(times).to.have.lengthOf(41);
    times.forEach((time, place) => expect(time).to.be.greaterThan(times[place - 1] ?? 0));
    const path = `/v1/customers/${customer}/effective-consent`;
    const [last] = expectStatus(await app.rest('GET', path), 200).purposes as Json[];
    const order = Date.parse(last?.revoked_at ?? '') - Date.parse(last?.granted_at ?? '');
    expect(last?.status === 'revoked' ? order > 0 : Number.isNaN(order)).to.equal(true);
  });

  it('are of the time at which a decision counts, not of its request', async () => {
    const customer = await makeCustomer(app);
    const receipt = await grant(app, customer, 'measurement');
    const client = new pg.Client({ connectionString: service.database.ownerUrl });
    await client.connect();
    await client.query('BEGIN');
    await client.query('SELECT FROM customer_heads WHERE customer_id = $1 FOR UPDATE', [customer]);
    const revoking = revoke(app, receipt);
    const waiting = `SELECT FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND query ~ 'customer_heads'
      AND datname = current_database()`;
    while ((await service.sql(waiting)).length === 0);
    const held = Date.now();
    await client.query('COMMIT');
    await client.end();
    await revoking;
    const [purpose] = (await receiptOf(receipt)).purposes as Json[];
    expect(Date.parse(purpose?.revoked_at)).to.be.at.least(held);
  });

  it('list what was granted, and repeat no unknown member', async () => {
    const customer = await makeCustomer(app);
    const body = {
      customer_id: customer,
      purposes: ['support', 'analytics', 'support'],
      terms_version: 't-1',
      privacy_policy_version: 'p-2',
      evidence: {
        ip_address: '203.0.113.9',
        user_agent: 'Browser/1',
        locale: 'de-DE',
        collected_at: '2026-01-01T10:00:00+01:00',
      },
    };
    const receipt = expectStatus(await app.rest('POST', '/v1/consent-receipts', body), 201);
    const granted_at: string = receipt.granted_at;
    expect(granted_at).to.match(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    expect(receipt).to.deep.equal({
      id: receipt.id,
      app_id: app.appId,
      customer_id: customer,
      purposes: [
        { purpose: 'support', status: 'granted', granted_at },
        { purpose: 'analytics', status: 'granted', granted_at },
      ],
      terms_version: 't-1',
      privacy_policy_version: 'p-2',
      status: 'active',
      granted_at,
    });
    expect(await receiptOf(receipt.id)).to.deep.equal(receipt);
    const { data } = await app.graphql(
      'query($id: ID!) { consentReceipt(id: $id) { evidence { ipAddress userAgent locale collectedAt } } }',
      { id: receipt.id },
    );
    expect(data.consentReceipt.evidence).to.deep.equal({
      ipAddress: '203.0.113.9',
      userAgent: 'Browser/1',
      locale: 'de-DE',
      collectedAt: '2026-01-01T09:00:00.000Z',
    });
  });

  it('are signed with the key of the service', async () => {
    const customer = await makeCustomer(app);
    const id = await grant(app, customer, 'support');
    const read = async (): Promise<Json> => {
      const { data } = await app.graphql('query($id: ID!) { consentReceipt(id: $id) { signedReceipt } }', {
        id,
      });
      const keys = createRemoteJWKSet(new URL(`${service.url}/oauth/jwks`));
      const { payload, protectedHeader } = await compactVerify(
        data.consentReceipt.signedReceipt as string,
        keys,
      );
      expect(protectedHeader.typ).to.equal('consent-receipt+jwt');
      return JSON.parse(new TextDecoder().decode(payload)) as Json;
    };
    const { app_id, customer_id, ...receipt } = await receiptOf(id);
    const signed = await read();
    expect(signed).to.deep.include({ aud: app_id, sub: customer_id, jti: id, consent_receipt: receipt });
    await revoke(app, id);
    expect((await read()).consent_receipt.status).to.equal('revoked');
  });

  it('go from active over partially_revoked to revoked', async () => {
    const receipt = await grant(app, await makeCustomer(app), 'support', 'analytics', 'measurement');
    await revoke(app, receipt, 'analytics');
    const partly = await receiptOf(receipt);
    expect(partly.status).to.equal('partially_revoked');
    expect(partly).to.not.have.property('revoked_at');
    expect(partly.purposes.map(({ status }: Json) => status)).to.deep.equal([
      'granted',
      'revoked',
      'granted',
    ]);
    await revoke(app, receipt);
    const done = await receiptOf(receipt);
    expect(done.status).to.equal('revoked');
    expect(done.revoked_at).to.equal(done.purposes[0].revoked_at);
    expect(done.purposes[1].revoked_at, 'the first revocation of a purpose stands').to.equal(
      partly.purposes[1].revoked_at,
    );
  });

  it('answer a revocation with the workflow that carries it out', async () => {
    const receipt = await grant(app, await makeCustomer(app), 'support');
    const answer = await app.rest('POST', `/v1/consent-receipts/${receipt}/revoke`);
    const { workflow_id, accepted_at, ...rest } = expectStatus(answer, 202);
    expect(rest).to.deep.equal({ status: 'accepted', status_url: `/v1/workflows/${workflow_id}` });
    expect(accepted_at).to.match(/Z$/);
    expect(answer.headers.get('location')).to.equal(rest.status_url);
    const workflow = await finished(app, workflow_id);
    expect(workflow).to.include({ id: workflow_id, type: 'consent_revocation_cascade', status: 'completed' });
    expect(workflow).to.not.have.property('error');
  });

  it('refuse to revoke an empty list or a purpose that is not theirs, naming each', async () => {
    const customer = await makeCustomer(app);
    const receipt = await grant(app, customer, 'support');
    await grant(app, customer, 'analytics');
    const path = `/v1/consent-receipts/${receipt}/revoke`;
    expectStatus(await app.rest('POST', path, { purposes: [] }), 422);
    const { error } = expectStatus(
      await app.rest('POST', path, { purposes: ['support', 'analytics', 'measurement'] }),
      422,
    );
    expect(error.details.map(({ field }: Json) => field)).to.deep.equal(['purposes[1]', 'purposes[2]']);
    expect(await effective(customer)).to.deep.equal({ support: 'granted', analytics: 'granted' });
  });

  describe('with several decisions on a purpose', () => {
    it('let an older receipt close what a newer one granted', async () => {
      const customer = await makeCustomer(app);
      const older = await grant(app, customer, 'support', 'analytics');
      const newer = await grant(app, customer, 'support');
      await revoke(app, older, 'support');
      expect(await effective(customer)).to.deep.equal({ support: 'revoked', analytics: 'granted' });
      expect(await readable(customer, 'support')).to.equal(false);
      expect(await readable(customer, 'analytics')).to.equal(true);
      expect((await receiptOf(newer)).status).to.equal('active');
    });

    it('let a newer receipt open what an older one closed, and the older one close it again', async () => {
      const customer = await makeCustomer(app);
      const older = await grant(app, customer, 'support');
      await revoke(app, older);
      const newer = await grant(app, customer, 'support');
      expect(await readable(customer, 'support')).to.equal(true);
      expect((await receiptOf(older)).status).to.equal('revoked');
      // The purpose of the older receipt is revoked already; the decision counts all the same
      // (docs/contract.md#consent).
      await finished(app, await revoke(app, older, 'support'));
      expect(await readable(customer, 'support')).to.equal(false);
      expect((await receiptOf(newer)).status).to.equal('active');
      expect(await effective(customer)).to.deep.equal({ support: 'revoked' });
    });

    it('complete the revocation of a closed purpose without effect', async () => {
      const customer = await makeCustomer(app);
      const receipt = await grant(app, customer, 'support');
      await finished(app, await revoke(app, receipt));
      expect(await finished(app, await revoke(app, receipt))).to.include({ status: 'completed' });
      expect(await effective(customer)).to.deep.equal({ support: 'revoked' });
    });

    it('report the newest receipt as latest_receipt_id and omit purposes without a decision', async () => {
      const customer = await makeCustomer(app);
      const none = expectStatus(await app.rest('GET', `/v1/customers/${customer}/effective-consent`), 200);
      expect(none).to.deep.equal({ customer_id: customer, purposes: [], evaluated_at: none.evaluated_at });
      await grant(app, customer, 'measurement');
      const newest = await grant(app, customer, 'support');
      const some = expectStatus(await app.rest('GET', `/v1/customers/${customer}/effective-consent`), 200);
      expect(some.latest_receipt_id).to.equal(newest);
      expect(some.purposes.map(({ purpose }: Json) => purpose)).to.have.members(['measurement', 'support']);
    });
  });

  describe('and the data collected under them', () => {
    const facts = async (customer: string, purpose?: string): Promise<Json[]> => {
      const query = purpose === undefined ? '' : `?consent_purpose=${purpose}`;
      return expectStatus(await app.rest('GET', `/v1/profiles/${customer}${query}`), 200).facts as Json[];
    };
    const claims = async (customer: string): Promise<Json[]> =>
      expectStatus(await app.rest('GET', `/v1/profiles/${customer}/claims?limit=100`), 200).data as Json[];

    it('keep it at a grant of an open purpose and hide it at a grant after a revocation', async () => {
      const customer = await makeCustomer(app);
      const receipt = await grant(app, customer, 'personalization', 'support');
      await sendClaims(
        app,
        claimBody(customer),
        claimBody(customer, { consent_purpose: 'support', attribute: 'tier' }),
      );
      await grant(app, customer, 'personalization');
      expect(await facts(customer)).to.have.length(2);
      const workflow = await revoke(app, receipt, 'personalization');
      await grant(app, customer, 'personalization');
      expect(await facts(customer, 'personalization')).to.deep.equal([]);
      expect((await claims(customer)).map(({ attribute }) => attribute)).to.deep.equal(['tier']);
      await finished(app, workflow);
      expect(await facts(customer, 'personalization')).to.deep.equal([]);
      await sendClaims(app, claimBody(customer, { value: 'poetry' }));
      expect(
        (await facts(customer, 'personalization')).map(({ resolved_value }) => resolved_value),
      ).to.deep.equal(['poetry']);
      expect((await facts(customer)).map(({ attribute }) => attribute)).to.deep.equal([
        'favourite_genre',
        'tier',
      ]);
    });

    it('hide it after a new grant even while it is not yet erased', async () => {
      const customer = await makeCustomer(app);
      const receipt = await grant(app, customer, 'personalization');
      await sendClaims(app, claimBody(customer));
      await service.sql(
        `CREATE FUNCTION held() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'held up'; END $$`,
      );
      for (const table of ['facts', 'claims'])
        await service.sql(
          `CREATE TRIGGER held BEFORE DELETE ON ${table} FOR EACH ROW EXECUTE FUNCTION held()`,
        );
      const workflow = await revoke(app, receipt, 'personalization');
      await grant(app, customer, 'personalization');
      const [left] = await service.sql(
        'SELECT (SELECT count(*)::int FROM facts WHERE customer_id = $1) AS facts, (SELECT count(*)::int FROM claims WHERE customer_id = $1) AS claims',
        [customer],
      );
      const seen = [await facts(customer), await facts(customer, 'personalization'), await claims(customer)];
      for (const table of ['facts', 'claims']) await service.sql(`DROP TRIGGER held ON ${table}`);
      expect(left, 'nothing was erased yet').to.deep.equal({ facts: 1, claims: 1 });
      expect(seen).to.deep.equal([[], [], []]);
      expect(await finished(app, workflow)).to.include({ status: 'completed' });
      expect(
        await service.sql('SELECT attribute FROM claims WHERE customer_id = $1', [customer]),
      ).to.deep.equal([]);
    });

    it('have it erased by the cascade for that purpose only', async () => {
      const customer = await makeCustomer(app);
      const receipt = await grant(app, customer, 'personalization', 'support');
      await sendClaims(
        app,
        claimBody(customer),
        claimBody(customer, { consent_purpose: 'support', attribute: 'tier' }),
      );
      await finished(app, await revoke(app, receipt, 'personalization'));
      for (const table of ['claims', 'facts']) {
        const rows = await service.sql(`SELECT attribute FROM ${table} WHERE customer_id = $1`, [customer]);
        expect(rows, table).to.deep.equal([{ attribute: 'tier' }]);
      }
    });

    it('hide it in reads of another purpose', async () => {
      const customer = await makeCustomer(app);
      await grant(app, customer, 'personalization', 'support');
      await sendClaims(
        app,
        claimBody(customer, { value: 'crime' }),
        claimBody(customer, { value: 'poetry', source: 'web', consent_purpose: 'support' }),
      );
      for (const [purpose, value] of [
        ['personalization', 'crime'],
        ['support', 'poetry'],
      ] as const) {
        const [fact, ...others] = await facts(customer, purpose);
        expect(others).to.deep.equal([]);
        expect(fact).to.deep.include({
          resolved_value: value,
          resolution_method: 'single_source',
          consent_purpose: purpose,
        });
        expect(fact.evidence.map((claim: Json) => claim.consent_purpose)).to.deep.equal([purpose]);
      }
    });

    it('refuse it with 403 while the purpose is closed, in a batch per claim', async () => {
      const customer = await makeCustomer(app);
      const denied = await app.rest('POST', '/v1/claims', claimBody(customer));
      expect(expectStatus(denied, 403).error.code).to.equal('consent_denied');
      await grant(app, customer, 'support');
      const body = {
        claims: [
          claimBody(customer),
          claimBody(customer, { consent_purpose: 'support' }),
          claimBody('cus_nobody'),
          7,
        ],
      };
      const { data, accepted, rejected } = expectStatus(
        await app.rest('POST', '/v1/claims/batch', body),
        202,
      );
      expect([accepted, rejected]).to.deep.equal([1, 3]);
      expect(data.map(({ index, status, error }: Json) => [index, status, error?.code])).to.deep.equal([
        [0, 'rejected', 'consent_denied'],
        [1, 'accepted', undefined],
        [2, 'rejected', 'validation_failed'],
        [3, 'rejected', 'validation_failed'],
      ]);
      expect(data[2].error.details[0]).to.include({ code: 'unknown_reference', field: 'customer_id' });
    });
  });

  describe('within the allowed purposes of the app', () => {
    it('refuse other purposes', async () => {
      const narrow = await service.makeAppWith({ allowed_consent_purposes: ['support'] });
      const customer = await makeCustomer(narrow);
      const body = { customer_id: customer, purposes: ['support', 'analytics'] };
      const { error } = expectStatus(await narrow.rest('POST', '/v1/consent-receipts', body), 422);
      expect(error.details).to.have.length(1);
      expect(error.details[0]).to.include({ code: 'purpose_not_allowed', field: 'purposes[1]' });
      const none = await service.makeAppWith({ allowed_consent_purposes: [] });
      expectStatus(
        await none.rest('POST', '/v1/consent-receipts', {
          customer_id: await makeCustomer(none),
          purposes: ['support'],
        }),
        422,
      );
    });

    it('close at once when the app loses a purpose and open again when it gets it back', async () => {
      const own = await service.makeApp();
      const customer = await makeCustomer(own);
      await grant(own, customer, 'support', 'personalization');
      await sendClaims(own, claimBody(customer));
      const allow = async (purposes: string[]): Promise<void> =>
        void expectStatus(
          await own.rest('PATCH', `/v1/apps/${own.appId}`, { allowed_consent_purposes: purposes }),
          200,
        );
      const read = (): Promise<Json> =>
        own.rest('GET', `/v1/profiles/${customer}?consent_purpose=personalization`);
      await allow(['support']);
      expect((await read()).status).to.equal(403);
      expect(expectStatus(await own.rest('GET', `/v1/profiles/${customer}`), 200).facts).to.deep.equal([]);
      expectStatus(await own.rest('POST', '/v1/claims', claimBody(customer)), 403);
      await allow(['support', 'personalization']);
      expect(expectStatus(await read(), 200).facts).to.have.length(1);
    });
  });

  describe('under concurrent decisions', () => {
    it('accept and show nothing that began after a revocation was answered', async () => {
      const url = await service.addNode();
      for (let round = 0; round < 4; round += 1) {
        const customer = await makeCustomer(app);
        const receipt = await grant(app, customer, 'personalization', 'support');
        await sendClaims(app, claimBody(customer, { value: `secret-${round}` }));
        await raceAgainstRevoke(app, app.at(url), customer, receipt, `secret-${round}`);
      }
    });

    it('keep receipt, head, ledger and effective consent consistent', async () => {
      const customer = await makeCustomer(app);
      const receipts = await Promise.all(
        Array.from({ length: 6 }, () => grant(app, customer, 'support', 'analytics')),
      );
      await Promise.all(
        receipts.flatMap((id) => [revoke(app, id, 'support'), grant(app, customer, 'support')]),
      );
      const rows = await service.sql(
        'SELECT record FROM consent_ledger WHERE app_id = $1 ORDER BY ledger_sequence',
        [app.appId],
      );
      const last = rows
        .map(({ record }) => JSON.parse(record) as Json)
        .findLast((record: Json) => record.customer_id === customer && record.purposes.includes('support'));
      const state = await effective(customer);
      expect(state['support']).to.equal(last.action === 'granted' ? 'granted' : 'revoked');
      expect(await readable(customer, 'support')).to.equal(state['support'] === 'granted');
      expect(await readable(customer, 'analytics')).to.equal(true);
    });
  });
});

/** Reads and writes through both doors of two nodes, all the while the purpose is revoked in their midst. */
async function raceAgainstRevoke(
  one: TestPartner,
  two: TestPartner,
  customer: string,
  receipt: string,
  secret: string,
): Promise<void> {
  let revokedAt = Infinity;
  const race = { over: false };
  const late: string[] = [];
  let before = 0;
  let after = 0;
  const until = async (holds: () => boolean): Promise<void> => {
    while (!holds()) await new Promise((wake) => setTimeout(wake, 10));
  };
  const QUERY = `query($id: ID!) { purpose: resolvedProfile(customerId: $id,
    consentPurpose: PERSONALIZATION) { facts { resolvedValue } }
    all: resolvedProfile(customerId: $id) { facts { resolvedValue evidence { value } } }
    claims(customerId: $id) { nodes { value } } profiles(customerIds: [$id]) { facts { resolvedValue } }
    customer(id: $id) { resolvedProfile { facts { resolvedValue } } claims { nodes { value } } } }`;
  const probes: (() => Promise<{ text: string; shows: boolean }>)[] = [one, two].flatMap((by) => [
    () => look(by.rest('GET', `/v1/profiles/${customer}?consent_purpose=personalization`)),
    () => look(by.rest('GET', `/v1/profiles/${customer}`)),
    () => look(by.rest('GET', `/v1/profiles/${customer}/claims`)),
    () => look(by.graphql(QUERY, { id: customer })),
    async () => {
      const answer = await by.rest(
        'POST',
        '/v1/claims',
        claimBody(customer, { value: secret, source: 'late' }),
      );
      return { text: answer.text, shows: answer.status === 202 };
    },
  ]);
  async function look(asked: Promise<{ text: string }>): Promise<{ text: string; shows: boolean }> {
    const { text } = await asked;
    return { text, shows: text.includes(secret) };
  }
  const load = probes.map(async (probe) => {
    while (!race.over) {
      const began = performance.now();
      const { text, shows } = await probe();
      if (began < revokedAt) before += shows ? 1 : 0;
      else {
        after += 1;
        if (shows) late.push(text.slice(0, 300));
      }
    }
  });
  // It waits for requests and not for a time, because a slow machine may answer none in any fixed time.
  await until(() => before >= probes.length);
  expectStatus(
    await one.rest('POST', `/v1/consent-receipts/${receipt}/revoke`, { purposes: ['personalization'] }),
    202,
  );
  revokedAt = performance.now();
  await until(() => after >= 5 * probes.length);
  race.over = true;
  await Promise.all(load);
  expect(late).to.deep.equal([]);
}
