import { expect } from 'chai';
import { checkpointLedger, findRewritten } from '../../src/commands/checkpointLedger.js';
import { verifyLedger } from '../../src/commands/verifyLedger.js';
import {
  checkpointKey,
  publicCheckpointKey,
  readCheckpoint,
  signCheckpoint,
} from '../../src/domain/checkpoint.js';
import { GENESIS_HASH, linkRecord } from '../../src/domain/ledger.js';
import type { LedgerRecord } from '../../src/domain/ledger.js';
import { grant, makeCustomer, revoke } from '../support/records.js';
import { recordProof } from '../support/recordProof.js';
import type { TestPartner } from '../support/TestPartner.js';
import { TestService } from '../support/TestService.js';
import { IN_PROOFS } from '../support/itInProofs.js';

const KEY = checkpointKey('a-checkpoint-key-of-32-characters!');
const PUBLIC = publicCheckpointKey(KEY);
const TIMES = IN_PROOFS ? 500 : 24;

interface Row {
  ledger_sequence: number;
  record: string;
  previous_hash: string;
  hash: string;
}

describe('Checkpoints of the consent ledger', () => {
  let service: TestService;
  let app: TestPartner;

  before(async () => {
    service = await TestService.start();
    app = await service.makeApp();
    const customer = await makeCustomer(app);
    for (let times = 0; times < 6; times += 1)
      await revoke(app, await grant(app, customer, 'support', 'analytics'), 'support');
  });
  after(() => service.stop());

  const rows = async (): Promise<Row[]> =>
    (await service.sql('SELECT * FROM consent_ledger WHERE app_id = $1 ORDER BY ledger_sequence', [
      app.appId,
    ])) as Row[];

  const checkpoint = async (): Promise<string> => {
    const { line } = await checkpointLedger(service.services.database, KEY, app.appId, new Date());
    return line ?? expect.fail('There is no checkpoint.');
  };
  const rewritten = async (...lines: string[]): Promise<string[]> =>
    (await findRewritten(service.services.database, PUBLIC, lines)).problems;
  const isWhole = async (): Promise<boolean> =>
    (await verifyLedger(service.services.database, app.appId)).problem === undefined;

  /**
   * Puts other rows in the place of the ledger's, as the owner of the database can, runs the check and puts
   * the right ones back.
   */
  async function withRows<T>(other: readonly Row[], check: () => Promise<T>): Promise<T> {
    const original = await rows();
    await put(other);
    try {
      return await check();
    } finally {
      await put(original);
    }
  }

  async function put(other: readonly Row[]): Promise<void> {
    await service.sql('DELETE FROM consent_ledger WHERE app_id = $1', [app.appId]);
    const last = other.at(-1);
    await service.sql(
      `WITH head AS (UPDATE consent_ledger_heads SET ledger_sequence = $3, hash = $4 WHERE app_id = $1)
       INSERT INTO consent_ledger (app_id, ledger_sequence, record, previous_hash, hash)
       SELECT $1, ledger_sequence, record, previous_hash, hash
         FROM jsonb_to_recordset($2) AS r (ledger_sequence bigint, record text, previous_hash text, hash text)`,
      [app.appId, JSON.stringify(other), last?.ledger_sequence ?? 0, last?.hash ?? GENESIS_HASH],
    );
  }

  /** A chain without a flaw over other records. */
  function relinked(records: readonly LedgerRecord[]): Row[] {
    let previous = GENESIS_HASH;
    return records.map((record, index) => {
      const entry = linkRecord(index + 1, previous, record);
      previous = entry.hash;
      return {
        ledger_sequence: entry.sequence,
        record: entry.record,
        previous_hash: entry.previousHash,
        hash: entry.hash,
      };
    });
  }

  it('accept a ledger that only grew', async () => {
    const early = await checkpoint();
    await grant(app, await makeCustomer(app), 'support');
    expect(await rewritten(early, await checkpoint())).to.deep.equal([]);
  });

  it('detect a ledger that was rewritten with a valid chain', async () => {
    const line = await checkpoint();
    const records = (await rows()).map(({ record }) => JSON.parse(record) as LedgerRecord);
    let found = 0;
    for (let times = 0; times < TIMES; times += 1) {
      const place = times % records.length;
      const changed = [
        records.map((record, index) => (index === place ? { ...record, reason: `never-${times}` } : record)),
        records.filter((_, index) => index !== place),
        [...records.slice(place), ...records.slice(0, place)],
      ][times % 3] as LedgerRecord[];
      if (JSON.stringify(changed) === JSON.stringify(records)) continue;
      await withRows(relinked(changed), async () => {
        expect(await isWhole(), 'the chain holds').to.equal(true);
        expect(await rewritten(line)).to.have.length(1);
        found += 1;
      });
    }
    expect(await rewritten(line)).to.deep.equal([]);
    recordProof({
      proof: '../commands/checkpoint',
      injected: 'records edited, removed and re-ordered, the whole chain computed anew',
      times: found,
      checked: '`consent:verify --checkpoints` names the record that is not the one signed',
      figure: `${found} of ${found} found`,
      broken: 'the hash chain alone: 0 found',
    });
  });

  it('detect, with the chain, every edit, removal and re-ordering that keeps the hashes', async () => {
    const original = await rows();
    for (let times = 0; times < TIMES; times += 1) {
      const place = times % original.length;
      const row = original[place] as Row;
      const other = original[(place + 1) % original.length] as Row;
      const changed = [
        original.map((kept) =>
          kept === row ? { ...kept, record: kept.record.replace('support', 'analytic') } : kept,
        ),
        original.filter((kept) => kept !== row),
        original.map((kept) =>
          kept === row
            ? { ...kept, record: other.record }
            : kept === other
              ? { ...kept, record: row.record }
              : kept,
        ),
        original.map((kept) =>
          kept === row
            ? { ...kept, hash: kept.hash.replace(/^./, kept.hash.startsWith('a') ? 'b' : 'a') }
            : kept,
        ),
      ][times % 4] as Row[];
      const line = await checkpoint();
      const isFound = await withRows(
        changed,
        async () => !(await isWhole()) || (await rewritten(line)).length > 0,
      );
      expect(isFound, `change ${times % 4} of record ${place + 1}`).to.equal(
        JSON.stringify(changed) !== JSON.stringify(original),
      );
    }
  });

  it('are accepted only unchanged and signed by the expected key', async () => {
    const line = await checkpoint();
    expect(readCheckpoint(PUBLIC, line)).to.include({ app_id: app.appId });
    const forged = [
      line.replace(/"sequence":\d+/, '"sequence":1'),
      line.replace(/"hash":"./, '"hash":"x'),
      signCheckpoint(checkpointKey('another-checkpoint-key-of-32-chars'), {
        app_id: app.appId,
        sequence: 1,
        hash: GENESIS_HASH,
        at: '2026-01-01T00:00:00.000Z',
      }),
      '{}',
      'nonsense',
    ];
    for (const lie of forged) expect(readCheckpoint(PUBLIC, lie), lie).to.equal(undefined);
    expect(await rewritten(...forged)).to.have.length(forged.length);
    expect(line).to.not.include('a-checkpoint-key');
  });
});
