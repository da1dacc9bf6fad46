import type { Database } from '../../src/database/Database.js';

/** An app straight in the database, for tests that run without a server. */
export async function insertApp(database: Database, appId: string, now: Date): Promise<void> {
  await database.transaction(null, (tx) =>
    tx.execute(
      `INSERT INTO apps (app_id, name, client_type, redirect_uris, allowed_scopes, allowed_mask, status,
        created_at, updated_at)
       VALUES ($1, 'Test', 'public', '{}', '{}', 127, 'active', $2, $2)`,
      [appId, now],
    ),
  );
}
