import { execFileSync } from 'node:child_process';
import { expect } from 'chai';

/** The libraries that the user chose (docs/dependencies.md). */
const CHOSEN = [
  '@apollo/server',
  'graphql',
  'type-graphql',
  'reflect-metadata',
  'typeorm',
  'pg',
  'dataloader',
  'express',
  'openid-client',
];

describe('The chosen libraries', () => {
  for (const library of CHOSEN)
    it(`are imported by the product: ${library}`, () => {
      const importing = `(from|import) '${library}(/[^']*)?'`;
      const files = ['src', 'schema', 'resolvers', 'entities', 'rest-bridge'];
      const found = execFileSync('grep', ['-rlE', importing, ...files], { encoding: 'utf8' });
      expect(found).to.not.equal('');
    });
});
