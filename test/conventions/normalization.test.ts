import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';

const PRODUCT = ['src', 'resolvers', 'rest-bridge', 'schema', 'entities'];

/** JavaScript's own takes time that grows with the square of the length of a run of marks. */
describe('Text of clients', () => {
  it('is normalised by streamSafe only', () => {
    const files = PRODUCT.flatMap((folder) =>
      readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((file) => join(folder, file)),
    );
    const normalising = files.filter(
      (file) => file.endsWith('.ts') && /\.normalize\(/.test(readFileSync(file, 'utf8')),
    );
    expect(normalising).to.deep.equal(['src/domain/streamSafe.ts']);
  });
});
