import { setTimeout as sleep } from 'node:timers/promises';
import { execute } from '../../support/execute.js';

/** A process that can be stopped for a while, or killed and begun again at its port. */
export interface FaultyProcess {
  signal(name: 'SIGSTOP' | 'SIGCONT'): void;
  /** kill -9, and a new one once that is ready. */
  replace(): Promise<void>;
}

const STOPPED_MS = 300;

const CUT = `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
  WHERE datname = current_database() AND pid <> pg_backend_pid()`;

/** Kills and stops processes and cuts all connections to the database, one fault after the other. */
export class Faults {
  readonly counts = { kills: 0, stops: 0, cuts: 0 };
  private readonly processes: readonly FaultyProcess[];
  private readonly databaseUrl: string;
  private readonly pauseMs: number;

  /** @param pauseMs between two faults */
  constructor(processes: readonly FaultyProcess[], databaseUrl: string, pauseMs: number) {
    this.processes = processes;
    this.databaseUrl = databaseUrl;
    this.pauseMs = pauseMs;
  }

  /** Each kind at least once, and on until it is over. */
  async run(over: AbortSignal): Promise<void> {
    for (let turn = 0; turn < 3 || !over.aborted; turn += 1) {
      const struck = this.processes[turn % this.processes.length] as FaultyProcess;
      if (turn % 3 === 0) await this.stop(struck);
      if (turn % 3 === 1) await this.cut();
      if (turn % 3 === 2) await this.kill(struck);
      await sleep(this.pauseMs);
    }
  }

  private async stop(struck: FaultyProcess): Promise<void> {
    struck.signal('SIGSTOP');
    await sleep(STOPPED_MS);
    struck.signal('SIGCONT');
    this.counts.stops += 1;
  }

  private async cut(): Promise<void> {
    await execute(this.databaseUrl, CUT);
    this.counts.cuts += 1;
  }

  private async kill(struck: FaultyProcess): Promise<void> {
    await struck.replace();
    this.counts.kills += 1;
  }
}
