import { createHash } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { buildGuardedSchema } from '../../src/start/buildGuardedSchema.js';
import { ConfigError, configFrom } from '../../src/config.js';
import { startService } from '../../src/app.js';
import { OperationCompiler } from '../../src/execution/OperationCompiler.js';
import { checkTrustedDocuments } from '../../src/graphql/checkTrustedDocuments.js';
import { Documents } from '../../src/graphql/Documents.js';
import { trustDocuments } from '../../src/graphql/trustDocuments.js';
import { claimBody, grant, makeCustomer, revoke, sendClaims } from '../support/records.js';
import { freshKey, readAnswer } from '../support/TestPartner.js';
import type { Answer, TestPartner } from '../support/TestPartner.js';
import { TestService, testEnvironment } from '../support/TestService.js';

const PROFILE = `query profile($id: ID!) {
  resolvedProfile(customerId: $id) { customerId facts { attribute resolvedValue } } }`;
const CREATE = `mutation create($key: String!) {
  createCustomer(idempotencyKey: $key, input: { externalId: "trusted" }) {
    status customer { externalId } } }`;
const PAGES =
  'query pages($n: Int) { customers(first: $n) { nodes { consentReceipts(first: $n) { nodes { id customer { id } } } } } }';
const PAIR =
  'query one { customers(first: 1) { nodes { externalId } } } query two { ontologies { nodes { id } } }';
const SCHEMA = '{ __schema { queryType { name } } }';
const UNREGISTERED = '{ customers(first: 1) { nodes { id } } }';
const GRAPHQL = 'application/graphql-response+json';

describe('Trusted documents', () => {
  let folder: string;
  let file: string;
  let service: TestService;
  /** Nodes over the same data: without a manifest, and with nothing but it. */
  let untrusting: string;
  let strict: string;
  let app: TestPartner;
  let customer: string;
  let receipt: string;

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'trusted-'));
    file = join(folder, 'manifest.json');
    const { [`sha256:${hashOf(SCHEMA)}`]: bare, ...others } = manifestOf(
      PROFILE,
      CREATE,
      PAGES,
      PAIR,
      SCHEMA,
    );
    await writeFile(file, JSON.stringify({ ...others, [hashOf(SCHEMA)]: bare }));
    service = await TestService.start({ TRUSTED_DOCUMENTS: file });
    untrusting = await service.addNode({ TRUSTED_DOCUMENTS: '' });
    strict = await service.addNode({ TRUSTED_DOCUMENTS_ONLY: 'true' });
    app = await service.makeApp();
    customer = await makeCustomer(app);
    receipt = await grant(app, customer, 'personalization');
    await sendClaims(app, claimBody(customer));
  });
  after(async () => {
    await service.stop();
    await rm(folder, { recursive: true });
  });

  async function post(
    body: unknown,
    headers: Record<string, string> = {},
    url = service.url,
  ): Promise<Answer> {
    const sent = {
      ...app.credentials,
      'content-type': 'application/json',
      'x-request-id': 'same',
      ...headers,
    };
    return readAnswer(
      await fetch(`${url}/graphql`, { method: 'POST', headers: sent, body: JSON.stringify(body) }),
    );
  }

  async function get(
    parameters: Record<string, string>,
    headers: Record<string, string> = {},
    url = service.url,
  ): Promise<Answer> {
    const sent = { ...app.credentials, 'x-request-id': 'same', ...headers };
    return readAnswer(await fetch(`${url}/graphql?${new URLSearchParams(parameters)}`, { headers: sent }));
  }

  const reasonOf = ({ body }: Answer): unknown => body.errors[0].extensions.reason;
  const codeOf = ({ body }: Answer): unknown => body.errors[0].extensions.code;

  it('are found by documentId, by hash and by text and answered as any operation', async () => {
    const variables = { id: customer };
    const expected = await post({ query: PROFILE, variables }, {}, untrusting);
    expect(expected.body.data.resolvedProfile.facts).to.have.length(1);
    const extensions = { persistedQuery: { version: 1, sha256Hash: hashOf(PROFILE) } };
    for (const url of [service.url, strict])
      for (const headers of [{}, { accept: `${GRAPHQL},application/json;q=0.9` }])
        for (const named of [
          { documentId: idOf(PROFILE) },
          { extensions },
          { query: PROFILE },
          { query: PROFILE, extensions },
        ])
          for (const name of [{}, { operationName: 'profile' }])
            expect((await post({ ...named, ...name, variables }, headers, url)).text).to.equal(expected.text);
    const texts = { variables: JSON.stringify(variables) };
    expect((await get({ documentId: idOf(PROFILE), ...texts })).text).to.equal(expected.text);
    expect((await get({ documentId: idOf(PROFILE), ...texts }, {}, strict)).text).to.equal(expected.text);
    expect((await get({ extensions: JSON.stringify(extensions), ...texts }, {}, strict)).text).to.equal(
      expected.text,
    );
  });

  it('may be mutations, which run once per key and never by GET', async () => {
    const body = { documentId: idOf(CREATE), variables: { key: freshKey() } };
    for (const url of [service.url, service.url, strict]) {
      const { body: answer, headers } = await post(body, {}, url);
      expect(answer.data.createCustomer).to.deep.equal({
        status: 'CREATED',
        customer: { externalId: 'trusted' },
      });
      expect(headers.get('content-type')).to.equal('application/json; charset=utf-8');
    }
    const variables = JSON.stringify({ key: freshKey() });
    expect((await get({ documentId: idOf(CREATE), variables })).status).to.equal(405);
  });

  it('may hold several operations, or introspection', async () => {
    for (let time = 0; time < 3; time += 1) {
      const one = await post({ documentId: idOf(PAIR), operationName: 'one' });
      expect(Object.keys(one.body.data)).to.deep.equal(['customers']);
      const two = await post({ documentId: idOf(PAIR), operationName: 'two' });
      expect(Object.keys(two.body.data)).to.deep.equal(['ontologies']);
      for (const operationName of [undefined, 'three', ''])
        expect((await post({ documentId: idOf(PAIR), operationName })).body.data).to.equal(undefined);
      expect((await post({ documentId: idOf(SCHEMA) }, {}, strict)).text).to.include(
        '"queryType":{"name":"Query"}',
      );
    }
  });

  it('are checked for the same consent, scopes and credentials', async () => {
    const body = { documentId: idOf(PROFILE), variables: { id: customer } };
    const narrow = await service.narrowed(app, 'events:write');
    expect(codeOf(await post(body, narrow.credentials))).to.equal('INSUFFICIENT_SCOPE');
    expect((await post(body, { authorization: 'Bearer nonsense' })).status).to.equal(401);
    expect((await post(body)).text).to.include('crime');
    await revoke(app, receipt);
    for (const url of [service.url, strict]) expect((await post(body, {}, url)).text).to.not.include('crime');
  });

  it('have their cost checked per request only if variables can make them too expensive', async () => {
    for (const url of [service.url, strict])
      for (let time = 0; time < 3; time += 1) {
        expect((await post({ documentId: idOf(PAGES), variables: { n: 5 } }, {}, url)).body.errors).to.equal(
          undefined,
        );
        const dear = await post({ documentId: idOf(PAGES), variables: { n: 100 } }, {}, url);
        expect(dear.body.errors[0].message).to.match(/costs/);
      }
  });

  it('are refused with one error and the expected status when the id is unknown', async () => {
    for (const documentId of [
      idOf(UNREGISTERED),
      hashOf(UNREGISTERED),
      'sha256:',
      'x-own:1',
      'custom',
      `x${idOf(PROFILE)}`,
    ]) {
      for (const answer of [await post({ documentId }), await get({ documentId })]) {
        expect(answer.body.errors).to.have.length(1);
        expect([answer.status, codeOf(answer)]).to.deep.equal([200, 'PERSISTED_QUERY_NOT_FOUND']);
      }
      const strictly = await post({ documentId }, { accept: GRAPHQL });
      expect([strictly.status, codeOf(strictly)]).to.deep.equal([400, 'PERSISTED_QUERY_NOT_FOUND']);
      expect(strictly.headers.get('content-type')).to.include(GRAPHQL);
    }
    expect((await post({ documentId: 7 })).status).to.equal(400);
  });

  it('can be registered by clients unless only trusted documents are allowed', async () => {
    const extensions = { persistedQuery: { version: 1, sha256Hash: hashOf(UNREGISTERED) } };
    expect(codeOf(await post({ extensions }))).to.equal('PERSISTED_QUERY_NOT_FOUND');
    expect((await post({ extensions, query: UNREGISTERED })).body.data.customers.nodes).to.have.length(1);
    expect((await post({ documentId: idOf(UNREGISTERED) })).body.data.customers.nodes).to.have.length(1);
    for (let time = 0; time < 3; time += 1) {
      const answer = await post({ extensions, query: UNREGISTERED }, {}, strict);
      expect([answer.status, codeOf(answer), reasonOf(answer)]).to.deep.equal([
        200,
        'INVALID_REQUEST',
        'QUERY_NOT_IN_SAFELIST',
      ]);
      expect(reasonOf(await post({ extensions }, {}, strict))).to.equal('PERSISTED_QUERY_NOT_IN_LIST');
    }
  });

  it('are the only documents answered in trusted-only mode in any form of request', async () => {
    const both = new URLSearchParams([
      ['query', UNREGISTERED],
      ['query', PROFILE],
    ]);
    const bodies: unknown[] = [
      { query: UNREGISTERED },
      { query: UNREGISTERED, documentId: idOf(PROFILE) },
      { query: `${PROFILE} ` },
      { query: '{' },
      { documentId: idOf(UNREGISTERED) },
      {
        documentId: idOf(PROFILE),
        extensions: { persistedQuery: { version: 1, sha256Hash: hashOf(UNREGISTERED) } },
      },
      { extensions: { persistedQuery: { version: 1, sha256Hash: `apq:${hashOf(PROFILE)}` } } },
    ];
    for (const body of bodies)
      for (const [accept, status] of [
        ['application/json', 200],
        [GRAPHQL, 400],
      ] as const) {
        const answer = await post(body, { accept }, strict);
        expect([answer.status, codeOf(answer), answer.body.data], JSON.stringify(body)).to.deep.equal([
          status,
          'INVALID_REQUEST',
          undefined,
        ]);
        expect(answer.body.errors[0].extensions.requestId).to.equal('same');
        expect(answer.headers.get('content-type')).to.include(accept);
      }
    const another = { persistedQuery: { version: 1, sha256Hash: hashOf(PROFILE) } };
    for (const body of [
      [{ query: PROFILE }],
      {},
      { query: null },
      { documentId: [idOf(PROFILE)] },
      { query: UNREGISTERED, extensions: another },
    ])
      expect((await post(body, {}, strict)).status).to.equal(400);
    for (const search of [`?${new URLSearchParams({ query: UNREGISTERED })}`, `?${both}`, '']) {
      const answer = await readAnswer(
        await fetch(`${strict}/graphql${search}`, { headers: app.credentials }),
      );
      expect(codeOf(answer)).to.equal('INVALID_REQUEST');
      expect(answer.body.data).to.equal(undefined);
    }
    expect(
      (await post({ query: UNREGISTERED }, { authorization: 'Bearer nonsense' }, strict)).status,
    ).to.equal(401);
  });

  it('are the only ones in trusted-only mode when the query has a second question mark', async () => {
    const hidden = new URLSearchParams({ query: UNREGISTERED });
    for (let time = 0; time < 3; time += 1) {
      for (const search of [
        `documentId=${idOf(PROFILE)}&z=?&${hidden}`,
        `documentId=${idOf(PROFILE)}&z=??${hidden}&${hidden}`,
      ]) {
        const answer = await readAnswer(
          await fetch(`${strict}/graphql?${search}`, { headers: app.credentials }),
        );
        expect([codeOf(answer), answer.body.data], search).to.deep.equal(['INVALID_REQUEST', undefined]);
      }
      expect(reasonOf(await post({ query: UNREGISTERED }, {}, strict))).to.equal('QUERY_NOT_IN_SAFELIST');
    }
  });

  it('are the only documents looked up and stored in trusted-only mode', async () => {
    const documents = new Documents(new OperationCompiler(buildGuardedSchema()), { trustedOnly: true });
    await trustDocuments(documents, file);
    for (const text of [UNREGISTERED, `${SCHEMA} `, '{'])
      for (const source of [{ text }, { text, hash: hashOf(text) }, { hash: hashOf(text) }])
        expect(() => documents.find(source), text).to.throw(/registered/);
    expect(documents.size).to.equal(0);
    expect(documents.find({ hash: hashOf(SCHEMA) }).text).to.equal(SCHEMA);
  });

  it('are compiled at the start and outlive every other document', async () => {
    const documents = new Documents(new OperationCompiler(buildGuardedSchema()), { capacity: 1 });
    await trustDocuments(documents, file);
    const found = documents.find({ text: PROFILE });
    for (const name of [undefined, 'profile'])
      expect(found.operation(name)?.compiled(), 'the first time').to.not.equal(undefined);
    for (let first = 1; first <= 5; first += 1)
      documents.find({ text: `{ customers(first: ${first}) { nodes { id } } }` });
    expect(documents.size).to.equal(1);
    expect(documents.find({ hash: hashOf(PROFILE) })).to.equal(found);
    expect(found.operation('other')).to.equal(undefined);
    expect(documents.find({ text: CREATE }).operation(undefined)?.compiled()).to.equal(undefined);
  });

  describe('with problems', () => {
    const schema = buildGuardedSchema();
    const deep = `{
      customer(id: "x") { ${'consentReceipts { nodes { customer { '.repeat(5)} id ${'} } } '.repeat(5)} } }`;
    const cases: [string, unknown, RegExp][] = [
      ['that is no object', [PROFILE], /must be an object/],
      ['whose id is no hash', { profile: PROFILE }, /"profile" is no SHA-256/],
      ['whose hash is another', { [idOf(CREATE)]: PROFILE }, new RegExp(`"${idOf(CREATE)}" is not the hash`)],
      ['without a text', { [idOf(PROFILE)]: { text: PROFILE } }, /has no text/],
      ['that does not parse', manifestOf('{'), /is not valid: Syntax Error/],
      ['that is not valid', manifestOf('{ nothing }'), /is not valid: Cannot query field "nothing"/],
      ['that is too deep', manifestOf(deep), /is not valid: .*depth/i],
      [
        'that costs too much',
        manifestOf(PAGES.replaceAll('$n)', '100)').replace('($n: Int)', '')),
        /costs \d+ fields/,
      ],
      ['that subscribes to what there is not', manifestOf('subscription { x }'), /Cannot query field/],
      ['without an operation', manifestOf('fragment f on App { id }'), /is not valid/],
    ];
    for (const [what, manifest, problem] of cases)
      it(`are reported when there is one ${what}`, () => {
        const { documents, problems } = checkTrustedDocuments(schema, manifest);
        expect(documents).to.deep.equal([]);
        expect(problems).to.have.length(1);
        expect(problems[0]).to.match(problem);
      });

    it('are accepted when expensive only by the bound of their page variables', () => {
      const small = PAGES.replaceAll('$n)', '2)').replace('($n: Int)', '');
      expect(checkTrustedDocuments(schema, manifestOf(small)).problems).to.deep.equal([]);
    });

    it('prevent the start and are all named at once', async () => {
      const bad = join(folder, 'bad.json');
      await writeFile(bad, JSON.stringify({ ...manifestOf(PROFILE, '{'), profile: PROFILE }));
      for (const [path, problems] of [
        [bad, 2],
        [join(folder, 'absent.json'), 1],
      ] as const) {
        const config = configFrom(
          testEnvironment(0, 'postgres://nobody@127.0.0.1:1/none', { TRUSTED_DOCUMENTS: path }),
        );
        const error: unknown = await startService(config).then(undefined, (reason: unknown) => reason);
        expect(error).to.be.instanceOf(ConfigError);
        expect((error as ConfigError).problems).to.have.length(problems);
        expect((error as ConfigError).message).to.match(/TRUSTED_DOCUMENTS: /);
      }
    });

    it('cannot be required without a file', () => {
      expect(() => configFrom({ TRUSTED_DOCUMENTS_ONLY: 'true' })).to.throw(/needs TRUSTED_DOCUMENTS/);
      expect(() => configFrom({ TRUSTED_DOCUMENTS_ONLY: 'yes', TRUSTED_DOCUMENTS: 'x' })).to.throw(
        /true, false/,
      );
    });
  });
});

function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

function idOf(text: string): string {
  return `sha256:${hashOf(text)}`;
}

function manifestOf(...texts: string[]): Record<string, string> {
  return Object.fromEntries(texts.map((text) => [idOf(text), text]));
}
