import { expect } from 'chai';
import pg from 'pg';
import { ChildService } from '../support/ChildService.js';
import type { TestDatabase } from '../support/database.js';
import { createTestDatabase } from '../support/database.js';
import { TestPartner } from '../support/TestPartner.js';
import { registerApp, TEST_ADMIN_KEY } from '../support/registerApp.js';
import { claimBody, expectStatus, finished, makeCustomer } from '../support/records.js';

describe('the log of a service', () => {
  let database: TestDatabase;
  let child: ChildService;

  before(async () => {
    database = await createTestDatabase();
    child = await ChildService.start(database.ownerUrl, { LOG_LEVEL: 'trace' });
  });
  after(async () => {
    await child.kill();
    await database.drop();
  });

  it('holds no secret and no personal data, in success and failure', async () => {
    const app = await registerApp(child.url);
    const customer = await makeCustomer(app, {
      external_id: 'person-ZQX-ext',
      profile: { username: 'ZQX-user' },
      metadata: { note: 'ZQX-meta' },
    });
    const receipt = await app.rest('POST', '/v1/consent-receipts', {
      customer_id: customer,
      purposes: ['personalization'],
      evidence: { ip_address: '203.0.113.254', user_agent: 'ZQX-agent' },
    });
    const accepted = expectStatus(
      await app.rest(
        'POST',
        '/v1/claims',
        claimBody(customer, { value: 'ZQX-value', source: 'ZQX-source', context: 'ZQX-context' }),
      ),
      202,
    );
    await finished(app, accepted.workflow_id);
    const session = expectStatus(
      await app.rest('POST', '/v1/connection-sessions', {
        customer_id: customer,
        requested_purposes: ['support'],
      }),
      201,
    );
    const endpoint = expectStatus(
      await app.rest('POST', '/v1/webhook-endpoints', {
        url: 'https://hooks.partner.example/ZQX-path',
        enabled_events: ['*'],
      }),
      201,
    );
    await fetch(session.connection_url as string);
    await app.rest('GET', `/v1/profiles/${customer}`);
    await app.graphql(
      'query($e: String) { customers(externalId: $e) { nodes { id externalId metadata } } }',
      {
        e: 'person-ZQX-ext',
      },
    );
    // Everything that can go wrong.
    await app.rest('POST', '/v1/customers', {
      external_id: 'ZQX-bad',
      metadata: { card: '4111 1111 1111 1111', password: 'ZQX-password' },
    });
    await app.rest('POST', '/v1/customers', '{"external_id": "ZQX-broken');
    await app.rest('POST', '/v1/customers', { 'ZQX-unknown-field': 1 });
    await app.rest('GET', '/v1/customers?external_id=ZQX-a&ZQX-param=1');
    await app.rest('GET', '/v1/customers/ZQX-id');
    await app.graphql('{ customer(id: "ZQX-id") { ZQX_field } }');
    await app.graphql(
      'mutation { createCustomer(idempotencyKey: "ZQX-key-0123456789", input: { externalId: 7 }) { status } }',
    );
    await new TestPartner(child.url, { authorization: 'Bearer ZQX-token' }).rest('GET', '/v1/customers');
    await new TestPartner(child.url, { 'x-service-admin-key': 'ZQX-admin' }).rest('POST', '/v1/apps', {});
    await breakTable('customers', async () => {
      await app.rest('POST', '/v1/customers', { external_id: 'ZQX-500', metadata: { note: 'ZQX-500' } });
      await app.rest('GET', '/v1/customers?external_id=ZQX-500');
      await app.graphql(
        'mutation($key: String!) { createCustomer(idempotencyKey: $key, input: { externalId: "ZQX-500" }) { status } }',
      );
    });
    await breakTable('claims', async () => {
      await app.rest(
        'POST',
        '/v1/claims',
        claimBody(customer, { value: 'ZQX-poison', attribute: 'zqx_attr' }),
      );
      await child.running.until('"level":"warn"');
    });
    const { output } = child.running;
    expect(output, 'something was written at all').to.include('request_id');
    expect(output).to.not.match(/ZQX|zqx_|4111.?1111|203\.0\.113\.254/);
    const secrets = [
      app.clientSecret,
      app.credentials['authorization']?.replace('Bearer ', ''),
      session.client_token,
      endpoint.signing_secret,
      receipt.body.id && TEST_ADMIN_KEY,
    ] as string[];
    for (const secret of secrets) {
      // The welcome shows the key of a development service, once.
      const logged = output
        .split('\n')
        .filter((line) => line.startsWith('{'))
        .join('\n');
      expect(logged.includes(secret), secret.slice(0, 6)).to.equal(false);
    }
  });

  /** Every insert fails with a message that holds the row, as messages about unreadable values do. */
  async function breakTable(table: string, work: () => Promise<void>): Promise<void> {
    const client = new pg.Client({ connectionString: database.ownerUrl });
    await client.connect();
    await client.query(
      `CREATE OR REPLACE FUNCTION broken() RETURNS trigger LANGUAGE plpgsql AS
         $$ BEGIN RAISE 'cannot store %', NEW::text USING DETAIL = NEW::text, HINT = NEW::text; END $$`,
    );
    await client.query(
      `CREATE TRIGGER broken BEFORE INSERT ON ${table} FOR EACH ROW EXECUTE FUNCTION broken()`,
    );
    await work();
    await client.query(`DROP TRIGGER broken ON ${table}`);
    await client.end();
  }
});
