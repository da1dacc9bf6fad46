import 'reflect-metadata';
import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { DataSource } from 'typeorm';

/**
 * TypeORM's view of the database: every entity and migration in `entities/`, schema changes through
 * migrations only.
 */
export function createDataSource(url: string, poolSize = 2): DataSource {
  return new DataSource({
    type: 'postgres',
    url,
    poolSize,
    entities: files('./entities/'),
    migrations: files('./entities/migrations/'),
    migrationsTableName: 'schema_migrations',
    synchronize: false,
    installExtensions: false,
    logging: false,
    parseInt8: true,
  });
}

function files(folder: string): string[] {
  const path = fileURLToPath(new URL(folder, import.meta.url));
  return readdirSync(path)
    .filter((name) => name.endsWith('.js'))
    .map((name) => `${path}${name}`);
}
