import 'reflect-metadata';
import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { DataSource, DefaultNamingStrategy } from 'typeorm';
import type { Table } from 'typeorm';
import { snakeCase } from './src/domain/snakeCase.js';

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
    namingStrategy: new Naming(),
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

/** Names of columns and keys, so that no entity has to say them. */
class Naming extends DefaultNamingStrategy {
  override columnName(property: string, name: string | undefined): string {
    return name ?? snakeCase(property);
  }

  override primaryKeyName(table: Table | string): string {
    return `${this.getTableName(table)}_pkey`;
  }

  override foreignKeyName(table: Table | string, columns: string[]): string {
    return `${this.getTableName(table)}_${columns.at(-1)?.replace(/_id$/, '') ?? ''}_fkey`;
  }
}
