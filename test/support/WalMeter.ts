import type { TestService } from './TestService.js';

/** How much the test's PostgreSQL writes to its log ahead of the tables, whoever makes it write. */
export class WalMeter {
  private readonly service: TestService;

  constructor(service: TestService) {
    this.service = service;
  }

  /** @returns bytes that were written while the work ran */
  async during(work: () => Promise<void>): Promise<number> {
    const before = await this.position();
    await work();
    return (await this.position()) - before;
  }

  private async position(): Promise<number> {
    const [row] = await this.service.sql(
      `SELECT pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0')::float8 AS bytes`,
    );
    return Number((row as { bytes: number } | undefined)?.bytes);
  }
}
