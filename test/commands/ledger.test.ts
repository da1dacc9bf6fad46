import { expect } from 'chai';
import pg from 'pg';
import { verifyLedger } from '../../src/commands/verifyLedger.js';
import type { TestPartner } from '../support/TestPartner.js';
import { TestService } from '../support/TestService.js';
import { expectStatus, grant, makeCustomer, revoke } from '../support/records.js';

describe('The consent ledger', () => {
  let service: TestService;
  let app: TestPartner;

  before(async () => {
    service = await TestService.start();
  });
  beforeEach(async () => {
    app = await service.makeApp();
  });
  after(() => service.stop());

  const verdict = async (): Promise<{ records: number; problem: string | undefined }> => {
    const { records, problem } = await verifyLedger(service.services.database, app.appId);
    return { records, problem };
  };

  async function decide(): Promise<string> {
    const customer = await makeCustomer(app);
    const receipt = await grant(app, customer, 'support', 'analytics');
    await revoke(app, receipt, 'support');
    await grant(app, customer, 'support');
    await revoke(app, receipt);
    return customer;
  }

  it('contains every decision in order and is valid even after simultaneous decisions', async () => {
    expect(await verdict()).to.deep.equal({ records: 0, problem: undefined });
    const customer = await decide();
    const rows = await service.sql(
      'SELECT record FROM consent_ledger WHERE app_id = $1 ORDER BY ledger_sequence',
      [app.appId],
    );
    const records = rows.map(({ record }) => JSON.parse(record as string) as Record<string, unknown>);
    expect(records.map(({ action, purposes }) => [action, purposes])).to.deep.equal([
      ['granted', ['support', 'analytics']],
      ['revoked', ['support']],
      ['granted', ['support']],
      ['revoked', ['support', 'analytics']],
    ]);
    await Promise.all(Array.from({ length: 10 }, decide));
    expect(await verdict()).to.deep.equal({ records: 44, problem: undefined });
    expectStatus(await app.rest('DELETE', `/v1/customers/${customer}`), 204);
    expect(await verdict()).to.deep.equal({ records: 45, problem: undefined });
  });

  it('contains no refused decision', async () => {
    const customer = await makeCustomer(app);
    await app.rest('POST', '/v1/consent-receipts', { customer_id: customer, purposes: ['spying'] });
    await app.rest('POST', '/v1/consent-receipts', { customer_id: 'cus_nobody', purposes: ['support'] });
    await app.rest('POST', '/v1/consent-receipts/rcp_nobody/revoke');
    expect(await verdict()).to.deep.equal({ records: 0, problem: undefined });
  });

  it('contains no personal data', async () => {
    const customer = await makeCustomer(app, {
      external_id: 'jane-doe',
      metadata: { secret: undefined, city: 'Kiel' },
    });
    const evidence = { ip_address: '203.0.113.77', user_agent: 'Browser/7' };
    const receipt = expectStatus(
      await app.rest('POST', '/v1/consent-receipts', {
        customer_id: customer,
        purposes: ['support'],
        evidence,
      }),
      201,
    );
    expectStatus(
      await app.rest('POST', `/v1/consent-receipts/${receipt.id}/revoke`, { note: 'Jane called' }),
      202,
    );
    const rows = await service.sql('SELECT record FROM consent_ledger WHERE app_id = $1', [app.appId]);
    expect(JSON.stringify(rows)).to.not.match(/jane[ -]|203\.0|Browser|Kiel/i);
  });

  describe('reports', () => {
    for (const [what, statement, where] of [
      [
        'a changed record',
        `UPDATE consent_ledger SET record = replace(record, 'granted', 'revoked') WHERE app_id = $1
          AND ledger_sequence = 3`,
        /3 was changed/,
      ],
      [
        'a record taken out of the middle',
        'DELETE FROM consent_ledger WHERE app_id = $1 AND ledger_sequence = 2',
        /2 is missing/,
      ],
      [
        'the last record taken off',
        'DELETE FROM consent_ledger WHERE app_id = $1 AND ledger_sequence = 4',
        /4 and all after it are missing/,
      ],
      [
        'a head set back',
        `UPDATE consent_ledger_heads h SET ledger_sequence = 3,
          hash = (SELECT hash FROM consent_ledger l WHERE l.app_id = h.app_id AND ledger_sequence = 3)
          WHERE app_id = $1`,
        /does not know record 4/,
      ],
      [
        'a record inserted before the first',
        `INSERT INTO consent_ledger (app_id, ledger_sequence, record, previous_hash, hash)
         SELECT app_id, 0, record, previous_hash, hash FROM consent_ledger
          WHERE app_id = $1 AND ledger_sequence = 4`,
        /0 stands before the first/,
      ],
      ['a head removed', 'DELETE FROM consent_ledger_heads WHERE app_id = $1', /does not know record 4/],
      [
        'a head with another hash',
        `UPDATE consent_ledger_heads SET hash = repeat('1', 64) WHERE app_id = $1`,
        /head does not belong/,
      ],
      [
        'two records exchanged',
        `UPDATE consent_ledger a SET record = b.record, hash = b.hash, previous_hash = b.previous_hash
          FROM consent_ledger b
          WHERE a.app_id = $1 AND b.app_id = $1 AND a.ledger_sequence IN (2, 3)
            AND b.ledger_sequence = 5 - a.ledger_sequence`,
        /2 does not follow record 1/,
      ],
    ] as const) {
      it(what, async () => {
        await decide();
        expect((await verdict()).problem).to.equal(undefined);
        await service.sql(statement, [app.appId]);
        expect((await verdict()).problem).to.match(where);
      });
    }
  });

  it('cannot be changed by the service', async () => {
    await decide();
    const client = new pg.Client({ connectionString: service.database.serviceUrl });
    await client.connect();
    await client.query(`SELECT set_config('consent.app_id', $1, false)`, [app.appId]);
    for (const statement of [
      `UPDATE consent_ledger SET record = 'x'`,
      'DELETE FROM consent_ledger',
      'TRUNCATE consent_ledger',
      'DELETE FROM consent_ledger_heads',
      'TRUNCATE consent_ledger_heads',
      'ALTER TABLE consent_ledger DISABLE ROW LEVEL SECURITY',
      'DROP TABLE consent_ledger',
    ]) {
      const refused = await client.query(statement).then(
        () => 'done',
        (error: { code: string }) => error.code,
      );
      expect(refused, statement).to.equal('42501');
    }
    await client.end();
    expect((await verdict()).problem).to.equal(undefined);
  });
});
