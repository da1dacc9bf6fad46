import { expect } from 'chai';
import type { ConsentReceipt } from '../../schema/types/Consent.js';
import type { ConsentDecision } from '../../schema/types/ConsentDecision.js';
import { listConsentDecisions } from '../../src/loaders/listConsentDecisions.js';
import { listReceipts, loadReceipt } from '../../src/loaders/loadReceipts.js';
import { expectList } from '../support/expectList.js';
import { APP, LoaderFixture, OTHER_APP } from '../support/LoaderFixture.js';

const AT = '2026-03-01T00:00:00.000Z';

const DECISIONS: readonly object[] = [
  {
    action: 'granted',
    customer_id: 'cus_1',
    receipt_id: 'rcp_1',
    purposes: ['support', 'of a later version'],
    reason: 'asked',
    decided_by: 'person',
    decided_at: AT,
  },
  { action: 'granted', customer_id: 'cus_2', receipt_id: 'rcp_2', purposes: ['support'], decided_at: AT },
  { action: 'erased', customer_id: 'cus_1', decided_at: AT },
  { action: 'revoked', customer_id: 'cus_1', receipt_id: 'rcp_1', purposes: ['support'], decided_at: AT },
];

describe('The lists of consent', () => {
  let fixture: LoaderFixture;

  before(async () => {
    fixture = await LoaderFixture.start();
    const receipts = [
      { receipt_id: 'rcp_1', customer_id: 'cus_1' },
      { receipt_id: 'rcp_2', customer_id: 'cus_2' },
      { receipt_id: 'rcp_3', customer_id: 'cus_1' },
      { receipt_id: 'rcp_3x', customer_id: 'cus_1', app_id: OTHER_APP },
    ];
    for (const receipt of receipts) {
      const { customer_id: _customer, ...of } = receipt;
      await fixture.insert('consent_receipts', [{ ...receipt, granted_at: AT }]);
      await fixture.insert('consent_receipt_purposes', [
        { ...of, purpose: 3, position: 0, granted_at: AT, revoked_at: null },
      ]);
    }
    const rows = DECISIONS.map((record, place) => ({
      ledger_sequence: place + 1,
      record: JSON.stringify(record),
      previous_hash: '',
      hash: `hash ${place}`,
    }));
    await fixture.insert('consent_ledger', rows);
    await fixture.insert('consent_ledger', [{ ...rows[0], app_id: OTHER_APP, ledger_sequence: 9 }]);
  });
  after(() => fixture?.stop());

  const receipts = (customer?: string) => ({
    list: (request: object) => listReceipts(fixture.context(), customer, request),
    idOf: ({ id }: ConsentReceipt) => id,
    scope: { appId: APP, list: 'receipts', ...(customer === undefined ? {} : { filter: customer }) },
  });
  const decisions = (customer: string) => ({
    list: (request: object) => listConsentDecisions(fixture.context(), customer, request),
    idOf: ({ id }: ConsentDecision) => id,
    scope: { appId: APP, list: 'consent_decisions', filter: customer },
  });

  it('contain receipts, newest first, of all customers or one', async () => {
    await expectList(fixture, { ...receipts(), ids: ['rcp_3', 'rcp_2', 'rcp_1'] });
    await expectList(fixture, { ...receipts('cus_1'), ids: ['rcp_3', 'rcp_1'] });
    await expectList(fixture, { ...receipts('none'), ids: [] });
  });

  it('return receipts by id in the requested order', async () => {
    const ids = ['rcp_3', 'none', 'rcp_1', 'rcp_3x'];
    const [third, none, first, foreign] = await Promise.all(
      ids.map((id) => loadReceipt(fixture.context(), id)),
    );
    expect([none, foreign]).to.deep.equal([undefined, undefined]);
    expect(third).to.include({ id: 'rcp_3', customerId: 'cus_1', status: 'active' });
    expect(first).to.include({ id: 'rcp_1' });
  });

  it('contain the decisions on a customer, newest first', async () => {
    await expectList(fixture, { ...decisions('cus_1'), ids: ['4', '3', '1'], positions: [4, 3, 1] });
    await expectList(fixture, { ...decisions('none'), ids: [] });
  });

  it('contain a decision with its recorded fields and null for others', async () => {
    const { edges } = await decisions('cus_1').list({});
    expect(edges.map(({ node }) => node).slice(1)).to.deep.equal([
      {
        id: '3',
        action: 'erased',
        purposes: [],
        receiptId: '',
        reason: null,
        decidedBy: null,
        decidedAt: AT,
      },
      {
        id: '1',
        action: 'granted',
        purposes: ['support'],
        receiptId: 'rcp_1',
        reason: 'asked',
        decidedBy: 'person',
        decidedAt: AT,
      },
    ]);
  });
});
