import { spawnSync } from 'node:child_process';
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { Registry } from 'prom-client';
import { checkpointKey, publicCheckpointKey } from '../../src/domain/checkpoint.js';
import { GENESIS_HASH, linkRecord } from '../../src/domain/ledger.js';
import type { LedgerRecord } from '../../src/domain/ledger.js';
import { LedgerCheckpoints } from '../../src/jobs/LedgerCheckpoints.js';
import { grant, makeCustomer } from '../support/records.js';
import type { TestPartner } from '../support/TestPartner.js';
import { TestService } from '../support/TestService.js';

const SECRET = 'a-checkpoint-key-of-32-characters!';

interface Ended {
  code: number | null;
  text: string;
}

describe('LedgerCheckpoints', () => {
  let service: TestService;
  let app: TestPartner;
  let folder: string;

  before(async () => {
    service = await TestService.start();
    app = await service.makeApp();
    const customer = await makeCustomer(app);
    for (let times = 0; times < 4; times += 1) await grant(app, customer, 'support');
  });
  after(() => service.stop());
  beforeEach(() => (folder = mkdtempSync(join(realpathSync(tmpdir()), 'checkpoints-'))));
  afterEach(() => rmSync(folder, { recursive: true }));

  it('stops between apps with its process', async () => {
    const stopped = await opened().round(service.services, AbortSignal.abort());
    expect(stopped).to.deep.equal({ written: 0, problems: [] });
    expect(kept()).to.deep.equal([]);
  });

  const opened = (): LedgerCheckpoints => new LedgerCheckpoints(folder, SECRET, new Registry());
  const kept = (): string[] =>
    readdirSync(folder)
      .flatMap((name) => readFileSync(join(folder, name), 'utf8').split('\n'))
      .filter(Boolean);
  const records = async (): Promise<{ record: string }[]> =>
    (await service.sql('SELECT record FROM consent_ledger WHERE app_id = $1 ORDER BY ledger_sequence', [
      app.appId,
    ])) as { record: string }[];

  const verify = (place: string): Ended => verifyWith('--checkpoints', place);

  function verifyWith(...options: string[]): Ended {
    const { PATH, HOME } = process.env;
    const { status, stdout, stderr } = spawnSync(
      process.execPath,
      ['dist/src/cli/verifyConsent.js', ...options],
      {
        env: {
          PATH,
          HOME,
          DATABASE_URL: service.database.ownerUrl,
          CHECKPOINT_PUBLIC_KEY: publicCheckpointKey(checkpointKey(SECRET)),
        },
        encoding: 'utf8',
      },
    );
    return { code: status, text: stdout + stderr };
  }

  /** Computes the whole chain anew over other records, head and all, as the owner of the database can. */
  async function rewrite(texts: readonly string[]): Promise<void> {
    let previous = GENESIS_HASH;
    for (const [index, text] of texts.entries()) {
      const entry = linkRecord(index + 1, previous, JSON.parse(text) as LedgerRecord);
      await service.sql(
        `UPDATE consent_ledger SET record = $3, previous_hash = $4, hash = $5 WHERE app_id = $1
          AND ledger_sequence = $2`,
        [app.appId, entry.sequence, entry.record, previous, entry.hash],
      );
      previous = entry.hash;
    }
    await service.sql('UPDATE consent_ledger_heads SET hash = $2 WHERE app_id = $1', [app.appId, previous]);
  }

  it('signs checkpoints only for new records, whichever process wrote the last one', async () => {
    const [first, second] = [opened(), opened()];
    expect(await first.round(service.services)).to.deep.equal({ written: 1, problems: [] });
    expect(await second.round(service.services)).to.deep.equal({ written: 0, problems: [] });
    await grant(app, await makeCustomer(app), 'analytics');
    expect(await second.round(service.services)).to.deep.equal({ written: 1, problems: [] });
    expect(await first.round(service.services)).to.deep.equal({ written: 0, problems: [] });
    expect(kept()).to.have.length(2);
    expect(verify(folder)).to.include({ code: 0 });
  });

  it('reports a ledger that was rewritten as a whole, as does the command with the folder', async () => {
    const checkpoints = opened();
    await checkpoints.round(service.services);
    const original = (await records()).map(({ record }) => record);
    await rewrite(original.map((text, index) => (index === 1 ? text.replace('support', 'analytics') : text)));
    for (const process of [checkpoints, opened()]) {
      const { problems } = await process.round(service.services);
      expect(problems).to.have.length(1);
      expect(problems[0]).to.include(app.appId).and.to.include('is not the one signed');
    }
    const found = verify(folder);
    expect(found.code).to.equal(1);
    expect(found.text).to.include('REWRITTEN').and.to.include(`${kept().length} checkpoints checked`);
    await rewrite(original);
    expect(await checkpoints.round(service.services)).to.deep.equal({ written: 0, problems: [] });
  });

  it('signs a ledger that a restore made shorter once its checkpoints were put aside', async () => {
    const checkpoints = opened();
    await checkpoints.round(service.services);
    const { length } = await records();
    await service.sql('DELETE FROM consent_ledger WHERE app_id = $1 AND ledger_sequence = $2', [
      app.appId,
      length,
    ]);
    await service.sql(
      `UPDATE consent_ledger_heads SET ledger_sequence = $2, hash =
        (SELECT hash FROM consent_ledger WHERE app_id = $1 AND ledger_sequence = $2) WHERE app_id = $1`,
      [app.appId, length - 1],
    );
    const told = new RegExp(`${app.appId}: record ${length}, signed at \\S+, is missing`);
    expect((await opened().round(service.services)).problems.join('\n')).to.match(told);
    expect(verify(folder).text).to.match(told);
    const [before, aside] = [readdirSync(folder), join(folder, 'before')];
    mkdirSync(aside);
    for (const name of before) renameSync(join(folder, name), join(aside, name));
    expect((await opened().round(service.services)).problems).to.deep.equal([]);
    expect(verify(folder)).to.include({ code: 0 });
    expect(verify(aside).text).to.match(told);
  });

  it('reports a record changed before the last checkpoint after a restart', async () => {
    const checkpoints = opened();
    await checkpoints.round(service.services);
    await service.sql(
      `UPDATE consent_ledger SET record = replace(record, 'support', 'analytic') WHERE app_id = $1
        AND ledger_sequence = 2`,
      [app.appId],
    );
    expect((await opened().round(service.services)).problems).to.deep.equal([
      `${app.appId}: record 2 was changed`,
    ]);
    await service.sql(
      `UPDATE consent_ledger SET record = replace(record, 'analytic', 'support') WHERE app_id = $1
        AND ledger_sequence = 2`,
      [app.appId],
    );
    expect((await opened().round(service.services)).problems).to.deep.equal([]);
  });

  it('ignores checkpoints signed by another key and unfinished files', async () => {
    await new LedgerCheckpoints(folder, 'another-checkpoint-key-of-32-chars', new Registry()).round(
      service.services,
    );
    writeFileSync(join(folder, '.2026-11-22T00-00-00.000Z-dead.jsonl'), '{"app_id":"app_');
    expect(await opened().round(service.services)).to.deep.equal({ written: 1, problems: [] });
    expect(verify(folder).text).to.include('is not a checkpoint that this key signed');
  });

  it('refuses to verify an app that never was, and not one without records', async () => {
    expect(verifyWith('--app', 'app_typo')).to.include({ code: 1, text: 'There is no such app.\n' });
    const { appId } = await service.makeApp();
    expect(verifyWith('--app', appId)).to.include({
      code: 0,
      text: `${appId}: 0 records, whole\n1 ledger checked.\n`,
    });
  });

  it('writes checkpoints in a worker when a folder is configured', async () => {
    await service.addNode({
      ROLE: 'worker',
      CHECKPOINT_DIR: folder,
      CHECKPOINT_KEY: SECRET,
      CHECKPOINT_MINUTES: '1',
    });
    while (kept().length === 0) await sleep(100);
    expect(verify(folder)).to.include({ code: 0 });
  });

  it('signs the ledgers of all others when one cannot be read, and says so', async () => {
    const first = await service.makeApp();
    await grant(first, await makeCustomer(first), 'support');
    const { database, clock, log, metrics } = service.services;
    const lost = Object.create(database) as typeof database;
    lost.readAs = (appId, ...rest) =>
      appId === app.appId ? Promise.reject(new Error('its node is lost')) : database.readAs(appId, ...rest);
    const round = opened().round({ database: lost, clock, log, metrics });
    expect(await round.catch((error: Error) => error.message)).to.equal('its node is lost');
    const signed = kept().map((line) => (JSON.parse(line) as { app_id: string }).app_id);
    expect(signed).to.include(first.appId);
    expect(signed).to.not.include(app.appId);
  });
});
