import pg from 'pg';

/**
 * Statements over one connection that stays open between them, since opening one costs more than most
 * statements of tests. Those that meet it in use get a connection of their own.
 */
export class KeptConnection {
  private readonly url: string;
  private idle: pg.Client | undefined;
  private closed = false;

  constructor(url: string) {
    this.url = url;
  }

  /** No statement may set anything of its session: the next one runs in it too. */
  async query(text: string, values: readonly unknown[] = []): Promise<pg.QueryResult> {
    const client = this.take() ?? (await this.open());
    let usable = false;
    try {
      const result = await client.query(text, [...values]);
      usable = true;
      return result;
    } catch (error) {
      // After FATAL, or without an answer of the server, the connection is over.
      usable = error instanceof pg.DatabaseError && error.severity === 'ERROR';
      throw error;
    } finally {
      await this.put(client, usable);
    }
  }

  async close(): Promise<void> {
    this.closed = true;
    await this.take()?.end();
  }

  private take(): pg.Client | undefined {
    const { idle } = this;
    this.idle = undefined;
    return idle;
  }

  private async open(): Promise<pg.Client> {
    const client = new pg.Client({ connectionString: this.url });
    client.on('error', () => {
      if (this.idle === client) this.idle = undefined;
    });
    await client.connect();
    return client;
  }

  private async put(client: pg.Client, usable: boolean): Promise<void> {
    if (usable && this.idle === undefined && !this.closed) this.idle = client;
    else await client.end();
  }
}
