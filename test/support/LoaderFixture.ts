import pg from 'pg';
import { createContext } from '../../src/access/createContext.js';
import type { ReadContext } from '../../src/loaders/ReadScope.js';
import type { RequestServices } from '../../src/Services.js';
import type { DocumentForms } from '../../src/documents/DocumentForms.js';
import { createTestDatabase } from './database.js';
import type { TestDatabase } from './database.js';
import { IngestFixture } from './IngestFixture.js';

export type FixtureRow = Readonly<Record<string, unknown>>;

export const APP = 'app_1';
/** Has rows of its own between those of `APP`. */
export const OTHER_APP = 'app_2';

const AT = '2026-03-01T00:00:00.000Z';
const APP_ROW = {
  name: 'Harbour Books',
  client_type: 'public',
  redirect_uris: ['https://partner.example/callback'],
  allowed_scopes: [],
  granted_scopes: [],
  allowed_mask: 127,
  status: 'active',
  older_secrets: [],
  created_at: AT,
  updated_at: AT,
};

/** What loaders read from: rows that a test puts into a database as they are, without a server. */
export class LoaderFixture {
  readonly services: RequestServices;

  private constructor(
    readonly database: TestDatabase,
    private readonly over: IngestFixture,
    private readonly owner: pg.Client,
  ) {
    this.services = over.services;
  }

  static async start(): Promise<LoaderFixture> {
    const database = await createTestDatabase();
    const owner = new pg.Client({ connectionString: database.ownerUrl });
    await owner.connect();
    // Rows may name others that are not there.
    await owner.query(`SET session_replication_role = 'replica'`);
    const over = new IngestFixture(database.serviceUrl, { appId: APP, poolSize: 3 });
    const fixture = new LoaderFixture(database, over, owner);
    await fixture.insert('apps', [{ ...APP_ROW }, { ...APP_ROW, app_id: OTHER_APP }]);
    return fixture;
  }

  set now(time: string) {
    this.over.now = new Date(time);
  }

  context(appId = APP, forms?: DocumentForms): ReadContext {
    const caller = { kind: 'app' as const, appId, clientId: appId, scopes: new Set<never>() };
    return createContext(this.services, caller, 'req_test', forms);
  }

  /** Rows of the columns that they name, of `APP` unless they name another. */
  async insert(table: string, rows: readonly FixtureRow[], { withoutApp = false } = {}): Promise<void> {
    for (const given of rows) {
      const row = withoutApp ? given : { app_id: APP, ...given };
      const columns = Object.keys(row).join(', ');
      await this.owner.query(
        `INSERT INTO ${table} (${columns}) OVERRIDING SYSTEM VALUE
         SELECT ${columns} FROM jsonb_populate_record(NULL::${table}, $1)`,
        [JSON.stringify(row)],
      );
    }
  }

  /** A statement of the tables' owner. */
  async sql(text: string): Promise<void> {
    await this.owner.query(text);
  }

  async stop(): Promise<void> {
    await this.over.close();
    await this.owner.end();
    await this.database.drop();
  }
}
