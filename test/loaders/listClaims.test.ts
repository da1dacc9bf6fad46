import { expect } from 'chai';
import { toClaim } from '../../entities/ClaimEntity.js';
import type { Claim } from '../../schema/types/Claim.js';
import { GateClosed } from '../../src/access/consentGate.js';
import type { GateOpen } from '../../src/access/consentGate.js';
import { claimText } from '../../src/documents/documentText.js';
import { StoredJson } from '../../src/documents/FreeForm.js';
import { StoredText } from '../../src/documents/StoredText.js';
import { purposeAt } from '../../src/domain/purposes.js';
import type { Purpose } from '../../src/domain/purposes.js';
import { listClaims } from '../../src/loaders/listClaims.js';
import { expectList } from '../support/expectList.js';
import { APP, LoaderFixture, OTHER_APP } from '../support/LoaderFixture.js';

const AT = '2026-03-01T00:00:00.000Z';
const ANALYTICS = 2;
const SUPPORT = 3;
const PERSONALIZATION = 1;

/** The customer, the sequence, the purpose and the epoch of each. Not all of them may be given out. */
const CLAIMS: readonly [customer: string, sequence: number, purpose: number, epoch: number][] = [
  ['cus_1', 1, SUPPORT, 2],
  ['cus_1', 2, ANALYTICS, 2],
  ['cus_1', 3, SUPPORT, 1],
  ['cus_1', 4, PERSONALIZATION, 2],
  ['cus_1', 5, SUPPORT, 2],
  ['cus_2', 6, SUPPORT, 2],
  ['cus_1', 7, SUPPORT, 2],
];

describe('The list of claims', () => {
  let fixture: LoaderFixture;

  before(async () => {
    fixture = await LoaderFixture.start();
    for (const app_id of [APP, OTHER_APP])
      for (const customer_id of ['cus_1', 'cus_2'])
        await fixture.insert('customer_heads', [
          { app_id, customer_id, granted_mask: 12, epochs: [1, 2, 2, 2, 1, 1, 1], changed_at: AT },
        ]);
    for (const [customer, sequence, purpose, epoch] of CLAIMS)
      await insert(customer, sequence, purpose, epoch);
    await insert('cus_1', 8, SUPPORT, 2, OTHER_APP);
  });
  after(() => fixture?.stop());

  async function insert(
    customer_id: string,
    sequence: number,
    purpose: number,
    epoch: number,
    app_id = APP,
  ): Promise<void> {
    const row = {
      claim_id: `clm_${sequence}`,
      attribute: 'city',
      value: sequence,
      source: 'till',
      observed_at: AT,
      context: null,
      confidence: 0.5,
      provenance: { sourcePartner: 'till', collectedAt: AT } as never,
    };
    const document = claimText(toClaim(row, customer_id, purposeAt(purpose)));
    await fixture.insert('claims', [
      { ...row, app_id, customer_id, sequence, purpose, epoch, document, text_version: 1 },
    ]);
  }

  const list = (customer: string, purpose?: Purpose) => ({
    list: async (request: object) => {
      const page = await listClaims(fixture.context(), customer, purpose, request);
      return (page as GateOpen<never>).value;
    },
    idOf: ({ id }: Claim) => id,
    scope: { appId: APP, list: 'claims', filter: `${customer}/${purpose ?? ''}` },
  });
  const placed = (...sequences: number[]) => ({
    ids: sequences.map((sequence) => `clm_${sequence}`),
    positions: sequences,
  });

  it('contains claims of open purposes in their current epoch, newest first', async () => {
    await expectList(fixture, { ...list('cus_1'), ...placed(7, 5, 2, 1) });
    await expectList(fixture, { ...list('cus_2'), ...placed(6) });
  });

  it('is filtered by purpose', async () => {
    await expectList(fixture, { ...list('cus_1', 'support'), ...placed(7, 5, 1) });
    await expectList(fixture, { ...list('cus_2', 'analytics'), ...placed() });
  });

  it('has the mask of the purposes of its claims', async () => {
    expect(await listClaims(fixture.context(), 'cus_1', undefined, {})).to.include({ openMask: 12 });
    expect(await listClaims(fixture.context(), 'cus_1', 'support', {})).to.include({ openMask: 8 });
  });

  it('is closed when its purpose is not granted or not allowed to the app', async () => {
    const shutBy = async (purpose: Purpose): Promise<unknown> =>
      listClaims(fixture.context(), 'cus_1', purpose, {});
    expect(await shutBy('personalization')).to.deep.equal(new GateClosed('personalization', 'receipt'));
    await fixture.sql(`UPDATE apps SET allowed_mask = 119`);
    expect(await shutBy('support')).to.deep.equal(new GateClosed('support', 'purpose'));
    await expectList(fixture, { ...list('cus_1'), ...placed(2) });
    await fixture.sql(`UPDATE apps SET allowed_mask = 127`);
  });

  it('is undefined for an unknown customer', async () => {
    expect(await listClaims(fixture.context(), 'none', undefined, {})).to.equal(undefined);
  });

  it('is parsed or, on request, the stored text', async () => {
    const parsed = (await list('cus_1').list({})) as { nodes: Claim[]; edges: { node: Claim }[] };
    expect(parsed.nodes).to.be.an('array').with.length(4);
    expect(parsed.nodes[0]).to.deep.equal({
      id: 'clm_7',
      customerId: 'cus_1',
      attribute: 'city',
      value: new StoredJson('7'),
      source: 'till',
      observedAt: AT,
      context: null,
      consentPurpose: 'support',
      confidence: 0.5,
      provenance: parsed.nodes[0]?.provenance,
    });
    const forms = { facts: 'objects', claims: { storedFor: 'graphql' } } as const;
    const page = await listClaims(fixture.context(APP, forms), 'cus_1', undefined, {});
    const { nodes, edges } = (page as GateOpen<{ nodes: StoredText; edges: { node: Claim }[] }>).value;
    expect(nodes).to.be.instanceOf(StoredText);
    expect(nodes.count).to.equal(4);
    expect(JSON.parse(nodes.text)).to.have.length(4);
    expect(edges.map(({ node }) => node)).to.deep.equal(parsed.nodes);
    const none = await listClaims(fixture.context(APP, forms), 'cus_2', 'analytics', {});
    expect((none as GateOpen<{ nodes: StoredText }>).value.nodes).to.deep.equal(new StoredText('[]', 0));
  });
});
