import { expect } from 'chai';
import fc from 'fast-check';
import { buildSchema } from 'graphql';
import { readFileSync } from 'node:fs';
import { ChildService } from '../support/ChildService.js';
import { createTestDatabase } from '../support/database.js';
import type { TestDatabase } from '../support/database.js';
import { grant, makeCustomer } from '../support/records.js';
import { itInProofs } from '../support/itInProofs.js';
import { recordProof } from '../support/recordProof.js';
import { registerApp } from '../support/registerApp.js';
import type { GraphqlAnswer, TestPartner } from '../support/TestPartner.js';
import type { MadeOperation } from './DocumentMaker.js';
import { DocumentMaker } from './DocumentMaker.js';
import { IN_PROOFS } from '../support/itInProofs.js';

const RUNS = IN_PROOFS ? 10_000 : 100;
/** Until the broken service must have been found. It is within some hundreds. */
const RUNS_OF_BROKEN = 10_000;

const schema = buildSchema(readFileSync('schema/schema.graphql', 'utf8'));

/** What is wrong with an answer to anything at all, or undefined. */
function faultOf({ status, body, errors, text }: GraphqlAnswer): string | undefined {
  const isTold = errors.every(
    ({ extensions }) => typeof extensions['code'] === 'string' && extensions['status'] < 500,
  );
  const isAnswer = 'data' in body || errors.length > 0;
  return status < 500 && isAnswer && isTold ? undefined : `${status} ${text.slice(0, 1000)}`;
}

describe('generated GraphQL documents', function () {
  this.timeout(600_000 + RUNS * 200);
  let database: TestDatabase;
  let service: ChildService;
  const seen = { sent: 0, whole: 0, partly: 0, refused: 0, found: 0 };

  beforeEach(async () => {
    database = await createTestDatabase();
  });
  afterEach(async () => {
    await service.kill();
    await database.drop();
  });
  after(() =>
    recordProof({
      proof: '../graphql/documentFuzz',
      injected:
        'documents made up from the schema, valid and not, with variables and literals of wrong kinds',
      times: seen.sent,
      checked: 'nothing answers 5xx, every error has its code',
      figure: `0 × 5xx; ${seen.whole} answered without an error, ${seen.partly} with data and errors, ${seen.refused} refused`,
      broken: `the service without its check of text that PostgreSQL cannot hold: found by document ${seen.found}`,
    }),
  );

  /** Sends operations to a service until one is answered as none must be. */
  async function fuzz(
    runs: number,
    variant: string | undefined,
    note: (answer: GraphqlAnswer) => void,
  ): Promise<fc.RunDetails<[fc.GeneratorValue]>> {
    service = await ChildService.start(database.ownerUrl, {}, variant);
    const app = await registerApp(service.url);
    const ids = await idsOf(app);
    return fc.check(
      fc.asyncProperty(fc.gen(), async (draw) => {
        const made = new DocumentMaker(schema, ids, draw).make();
        const answer = await post(app, made);
        note(answer);
        const fault = faultOf(answer);
        if (fault !== undefined) throw new Error(`${fault}\n${JSON.stringify(made)}`);
      }),
      { numRuns: runs, endOnFailure: true },
    );
  }

  it('are answered, or refused with a code, never by 5xx', async () => {
    const { errorInstance } = await fuzz(RUNS, undefined, ({ body, errors }) => {
      seen.sent += 1;
      if (errors.length === 0) seen.whole += 1;
      else if (body.data) seen.partly += 1;
      else seen.refused += 1;
    });
    if (errorInstance !== null) throw errorInstance;
    expect(seen.whole + seen.partly, 'with data').to.be.greaterThan(RUNS / 10);
    expect(seen.refused, 'refused').to.be.greaterThan(RUNS / 10);
  });

  itInProofs('detect a service that passes NUL on to PostgreSQL', async () => {
    const { failed, numRuns } = await fuzz(RUNS_OF_BROKEN, 'proofs/variants/anyText.js', () => undefined);
    expect(failed).to.equal(true);
    seen.found = numRuns;
  });
});

/** Of one thing of each kind, and of things that are not there. */
async function idsOf(app: TestPartner): Promise<string[]> {
  const customer = await makeCustomer(app);
  const receipt = await grant(app, customer, 'personalization', 'analytics');
  const { body } = await app.rest('POST', '/v1/webhook-endpoints', {
    url: 'https://hooks.partner.example/in',
    enabled_events: ['*'],
  });
  return [
    customer,
    customer,
    receipt,
    String(body.endpoint.id),
    'books',
    'cus_00000000000000000000000000',
    'x',
  ];
}

async function post(app: TestPartner, made: MadeOperation): Promise<GraphqlAnswer> {
  const response = await fetch(`${app.baseUrl}/graphql`, {
    method: 'POST',
    headers: { ...app.credentials, 'content-type': 'application/json' },
    body: JSON.stringify(made),
  });
  const text = await response.text();
  const body = JSON.parse(text) as GraphqlAnswer['body'];
  return {
    status: response.status,
    headers: response.headers,
    text,
    body,
    data: body.data,
    errors: body.errors ?? [],
  };
}
