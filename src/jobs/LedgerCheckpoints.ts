import type { KeyObject } from 'node:crypto';
import { Counter, Gauge } from 'prom-client';
import { checkpointLedger } from '../commands/checkpointLedger.js';
import { checkpointKey } from '../domain/checkpoint.js';
import type { Services } from '../Services.js';
import { CheckpointFolder } from './CheckpointFolder.js';
import { forEachApp } from './forEachApp.js';

type CheckpointServices = Pick<Services, 'database' | 'clock' | 'log' | 'metrics'>;

/**
 * Signs the state of every app's consent ledger into a folder outside the database. A ledger is verified from
 * the previous checkpoint; after a start of the process, from its first record.
 */
export class LedgerCheckpoints {
  private readonly folder: CheckpointFolder;
  private readonly key: KeyObject;
  /** Apps whose ledger this process has verified from its first record. */
  private readonly followed = new Set<string>();
  private readonly written: Counter;
  private readonly broken: Gauge;

  constructor(folder: string, secret: string, metrics: Services['metrics']) {
    this.key = checkpointKey(secret);
    this.folder = new CheckpointFolder(folder, this.key);
    this.written = new Counter({
      name: 'consent_checkpoints_total',
      help: 'Signed checkpoints of ledgers of consent that this process wrote',
      registers: [metrics],
    });
    this.broken = new Gauge({
      name: 'consent_ledgers_broken',
      help: 'Ledgers of consent whose chain broke, or that are no longer the ones signed, at the last look',
      registers: [metrics],
    });
  }

  /**
   * One round over all apps; over those before `stopping`.
   *
   * @returns the number of checkpoints written, and the problems by app
   * @throws the first failure of an app, after the checkpoints of the others were written
   */
  async round(
    { database, clock, log }: CheckpointServices,
    stopping?: AbortSignal,
  ): Promise<{ written: number; problems: string[] }> {
    const latest = await this.folder.latest();
    const lines: string[] = [];
    const problems: string[] = [];
    const look = async (appId: string): Promise<boolean> => {
      if (stopping?.aborted === true) return false;
      const since = latest.get(appId);
      const whole = !this.followed.has(appId);
      const { line, problem } = await checkpointLedger(database, this.key, appId, clock(), { since, whole });
      if (problem === undefined) this.followed.add(appId);
      else problems.push(`${appId}: ${problem}`);
      if (line !== undefined) lines.push(line);
      return false;
    };
    try {
      await forEachApp(database, look);
    } finally {
      if (lines.length > 0) await this.folder.write(lines, clock());
      this.written.inc(lines.length);
      this.broken.set(problems.length);
      for (const problem of problems)
        log.error({ problem }, 'a ledger of consent is not the one that was written');
    }
    return { written: lines.length, problems };
  }
}
