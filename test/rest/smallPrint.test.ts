import { request } from 'node:http';
import { expect } from 'chai';
import type { Answer, Json, TestPartner } from '../support/TestPartner.js';
import { TestService } from '../support/TestService.js';
import { expectStatus } from '../support/records.js';

const ONTOLOGY = { name: 'Book', version: '1', fields: [{ name: 'isbn', type: 'string' }] };

describe('requests over REST at their bounds', () => {
  let service: TestService;
  let app: TestPartner;

  before(async () => {
    service = await TestService.start();
    app = await service.makeApp();
  });
  after(() => service.stop());

  const fields = (answer: Answer): string[] => answer.body.error.details.map(({ field }: Json) => field);

  it('names a bad limit and an unknown parameter together', async () => {
    for (const limit of ['0', '101', '-1', 'x']) {
      const answer = await app.rest('GET', `/v1/customers?limit=${limit}&foo=1`);
      expectStatus(answer, 400);
      expect(fields(answer), limit).to.deep.equal(['limit', 'foo']);
    }
    expectStatus(await app.rest('GET', '/v1/customers?limit=100'), 200);
    const twice = await app.rest('GET', '/v1/customers??limit=1');
    expectStatus(twice, 400);
    expect(fields(twice), 'a name that begins with a question mark').to.deep.equal(['?limit']);
  });

  it('refuses a body that is not an object', async () => {
    const endpoint = expectStatus(
      await app.rest('POST', '/v1/webhook-endpoints', {
        url: 'http://localhost:9/hook',
        enabled_events: ['*'],
      }),
      201,
    ).endpoint.id;
    for (const path of [
      `/v1/webhook-endpoints/${endpoint}/test`,
      `/v1/apps/${app.appId}/rotate-secret`,
      '/v1/customers',
    ])
      for (const body of ['[]', 'null', '1', '"x"']) {
        const { error } = expectStatus(await app.rest('POST', path, body), 422);
        expect(error.message, `${path} ${body}`).to.equal(
          'The request is not valid: the body must be an object.',
        );
        expect(error.details).to.have.length(1);
        expect(error.details[0]).to.include({ code: 'invalid_type', message: 'must be an object' });
        expect(error.details[0]).to.not.have.property('field');
      }
  });

  it('moves updated_at with a change, and not with a PATCH that changes nothing', async () => {
    const endpoint = { url: 'http://localhost:9/hook', enabled_events: ['*'] };
    const made = expectStatus(await app.rest('POST', '/v1/webhook-endpoints', endpoint), 201).endpoint;
    const { customer } = expectStatus(await app.rest('POST', '/v1/customers', { external_id: 'same' }), 201);
    const own = expectStatus(await app.rest('GET', `/v1/apps/${app.appId}`), 200);
    for (const [path, same, other] of [
      [`/v1/apps/${app.appId}`, { name: own.name, allowed_scopes: own.allowed_scopes }, { name: 'Other' }],
      [
        `/v1/webhook-endpoints/${made.id}`,
        { ...endpoint, status: 'active' },
        { enabled_events: ['webhook.test'] },
      ],
      [`/v1/webhook-endpoints/${made.id}`, {}, { status: 'disabled' }],
      [`/v1/webhook-endpoints/${made.id}`, { status: 'disabled' }, { status: 'active' }],
      [`/v1/customers/${customer.id}`, { external_id: 'same' }, { metadata: { a: 1 } }],
    ] as const) {
      const { updated_at: before } = expectStatus(await app.rest('GET', path), 200);
      for (const body of [{}, same]) {
        const unchanged = expectStatus(await app.rest('PATCH', path, body), 200);
        expect(unchanged.updated_at, path).to.equal(before);
      }
      const changed = expectStatus(await app.rest('PATCH', path, other), 200);
      expect(Date.parse(changed.updated_at), path).to.be.above(Date.parse(before));
    }
  });

  it("names GraphQL's own arguments in GraphQL, and those of REST in REST", async () => {
    const named = async (argument: string): Promise<string[]> => {
      const { errors } = await app.graphql(`{ customers(${argument}) { nodes { id } } }`);
      return errors.flatMap(({ message, extensions }) => [message, extensions['details'][0].field as string]);
    };
    const [about, first] = await named('first: 0');
    expect(first).to.equal('first');
    expect(about).to.not.match(/limit/);
    expect((await named('after: "nonsense"'))[1]).to.equal('after');
    expect(fields(await app.rest('GET', '/v1/customers?cursor=nonsense'))).to.deep.equal(['cursor']);
    expect(fields(await app.rest('GET', '/v1/customers?limit=0'))).to.deep.equal(['limit']);
  });

  it('requires identity_fields of an ontology, which may be empty, through both doors', async () => {
    const put = (body: object): Promise<Answer> =>
      service.admin.rest('PUT', '/v1/ontologies/small.print', body);
    for (const body of [ONTOLOGY, { ...ONTOLOGY, identity_fields: null }]) {
      const answer = await put(body);
      expectStatus(answer, 422);
      expect(fields(answer)).to.deep.equal(['identity_fields']);
    }
    expectStatus(await put({ ...ONTOLOGY, identity_fields: [] }), 201);
    const { errors } = await service.admin.graphql(
      `mutation ($key: String!) { putOntology(id: "small.print2", idempotencyKey: $key,
         input: { name: "Book", version: "1", fields: [{ name: "isbn", type: STRING }] }) {
           ontology { id } } }`,
    );
    expect(errors[0]?.extensions['details'][0].field).to.equal('identityFields');
  });

  it('refuses wildcards and invalid hosts in redirect URIs, by index', async () => {
    const answer = await service.admin.rest('POST', '/v1/apps', {
      name: 'Quay',
      allowed_scopes: ['apps:read'],
      redirect_uris: ['https://quay.example/cb', 'https://*/cb', 'https://*.quay.example/cb', 'https://-/cb'],
    });
    expectStatus(answer, 422);
    expect(fields(answer)).to.deep.equal(['redirect_uris[1]', 'redirect_uris[2]', 'redirect_uris[3]']);
  });

  it('refuses two Authorization headers everywhere, whichever comes first', async () => {
    const good = app.credentials['authorization'] ?? '';
    const statusOf = (
      method: string,
      path: string,
      authorization: string[],
      body?: string,
    ): Promise<[number, string]> =>
      new Promise((resolve, reject) => {
        const type = path.startsWith('/oauth') ? 'application/x-www-form-urlencoded' : 'application/json';
        // As a flat list, headers are sent as they are.
        const headers = [
          'Host',
          'x',
          'Content-Type',
          type,
          ...authorization.flatMap((value) => ['Authorization', value]),
        ];
        if (body !== undefined) headers.push('Content-Length', String(body.length));
        const sent = request(service.url + path, { method, headers }, (response) => {
          let text = '';
          response.on('data', (part: Buffer) => (text += part.toString()));
          response.on('end', () => resolve([response.statusCode ?? 0, text]));
        });
        sent.on('error', reject);
        sent.end(body);
      });
    const query = JSON.stringify({ query: '{ customers { nodes { id } } }' });
    const requests: [string, string, string?][] = [
      ['GET', '/v1/customers'],
      ['POST', '/graphql', query],
      ['POST', '/oauth/token', 'grant_type=client_credentials'],
      ['POST', '/oauth/introspect', 'token=x'],
      ['POST', '/oauth/revoke', 'token=x'],
    ];
    for (const [method, path, body] of requests)
      for (const both of [
        [good, 'Bearer nonsense'],
        ['Bearer nonsense', good],
        [good, good],
      ]) {
        const [status, text] = await statusOf(method, path, both, body);
        expect(status, `${path} ${text}`).to.equal(400);
        expect(text.toLowerCase(), path).to.include('invalid_request');
      }
    expect((await statusOf('GET', '/v1/customers', [good]))[0]).to.equal(200);
  });
});
