import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { expect } from 'chai';

/** What each room must not import, as docs/architecture.md says. Paths and packages by prefix. */
const FORBIDDEN: Record<string, readonly string[]> = {
  'src/domain/': [
    'express',
    'graphql',
    'type-graphql',
    'typeorm',
    'pg',
    'node:http',
    'node:fs',
    'node:net',
    'src/database/',
    'src/commands/',
    'src/loaders/',
    'src/http/',
    'src/oauth/',
    'src/jobs/',
    'entities/',
    'resolvers/',
    'rest-bridge/',
  ],
  'src/commands/': ['express', 'graphql', 'type-graphql', 'resolvers/', 'rest-bridge/', 'src/http/'],
  'src/loaders/': ['express', 'graphql', 'type-graphql', 'resolvers/', 'rest-bridge/', 'src/http/'],
  'src/jobs/': ['express', 'graphql', 'type-graphql', 'resolvers/', 'rest-bridge/', 'src/http/'],
  'src/database/': [
    'express',
    'graphql',
    'src/commands/',
    'src/loaders/',
    'src/jobs/',
    'src/http/',
    'src/oauth/',
    'resolvers/',
    'rest-bridge/',
  ],
  'src/oauth/': ['resolvers/'],
  'schema/': ['typeorm', 'entities/', 'src/commands/', 'src/database/', 'src/http/', 'resolvers/'],
  'resolvers/': ['typeorm', 'pg', 'entities/', 'express', 'rest-bridge/', 'src/http/', 'src/database/'],
  'entities/': ['type-graphql', 'graphql', 'schema/', 'resolvers/'],
  'rest-bridge/': ['src/commands/', 'entities/', 'pg', 'typeorm', 'src/database/', 'src/loaders/'],
};

const IMPORT = /^(?:import|export) (type )?[^;]*?from '([^']+)';/gms;

/** Imports of a file as paths from the root, or package names; types cost nothing and bind nothing. */
function importsOf(file: string): string[] {
  const text = readFileSync(file, 'utf8');
  return [...text.matchAll(IMPORT)]
    .filter(([, type]) => type === undefined)
    .map(([, , name = '']) => (name.startsWith('.') ? relative('.', join(dirname(file), name)) : name));
}

function filesIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .map((name) => join(folder, name));
}

function isWithin(name: string, prefix: string): boolean {
  return prefix.endsWith('/') ? name.startsWith(prefix) : name === prefix || name.startsWith(`${prefix}/`);
}

describe('the rooms of the house', () => {
  for (const [room, forbidden] of Object.entries(FORBIDDEN)) {
    it(`${room} imports nothing it must not`, () => {
      const found = filesIn(room).flatMap((file) =>
        importsOf(file)
          .filter((name) => forbidden.some((prefix) => isWithin(name, prefix)))
          .map((name) => `${file} imports ${name}`),
      );
      expect(found).to.deep.equal([]);
    });
  }

  it('src/domain reads no clock, no environment and waits for nothing', () => {
    const found = filesIn('src/domain').filter((file) =>
      /\bDate\.now\(|\bnew Date\(\)|process\.|\basync\b|\bawait\b/.test(withoutComments(readFileSync(file, 'utf8'))),
    );
    expect(found).to.deep.equal([]);
  });

  it('only the entry points touch process', () => {
    const allowed = /^src\/(main|welcome)\.ts$|^src\/cli\/|^src\/database\/embedded\/|^src\/cluster/;
    const found = filesIn('src').filter(
      (file) =>
        !allowed.test(file) && /\bprocess\.(env|exit|on|once|argv)\b/.test(withoutComments(readFileSync(file, 'utf8'))),
    );
    expect(found).to.deep.equal([]);
  });
});

function withoutComments(text: string): string {
  return text.replace(/\/\*[\s\S]*?\*\/|\/\/.*$/gm, '');
}
