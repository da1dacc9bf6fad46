import type pg from 'pg';
import type { Row } from './Database.js';

/** One open transaction. Statements run one after another; hooks run only when the commit was answered. */
export class Transaction {
  readonly appId: string | null;
  private readonly client: pg.PoolClient;
  private readonly hooks: (() => void)[] = [];

  constructor(client: pg.PoolClient, appId: string | null) {
    this.client = client;
    this.appId = appId;
  }

  async query<T extends Row = Row>(text: string, values: readonly unknown[] = []): Promise<T[]> {
    const result = await this.client.query<T>(text, [...values]);
    return result.rows;
  }

  /** The only row that the statement gives, or undefined. */
  async one<T extends Row = Row>(text: string, values: readonly unknown[] = []): Promise<T | undefined> {
    const rows = await this.query<T>(text, values);
    return rows[0];
  }

  /** How many rows a data-changing statement touched. */
  async execute(text: string, values: readonly unknown[] = []): Promise<number> {
    const result = await this.client.query(text, [...values]);
    return result.rowCount ?? 0;
  }

  afterCommit(hook: () => void): void {
    this.hooks.push(hook);
  }

  committed(): void {
    for (const hook of this.hooks) hook();
  }
}
