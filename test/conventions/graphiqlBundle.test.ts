import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { expect } from 'chai';

const FOLDER = 'graphiql';

describe('the kept bundle of GraphiQL', () => {
  it('was built from the sources beside it; after a change of them: npm run graphiql:build', () => {
    const sources = readdirSync(FOLDER).filter((name) => /\.(m?js|css|json)$/.test(name));
    const hash = createHash('sha256');
    for (const name of sources.toSorted()) {
      hash
        .update(`${name}\0`)
        .update(readFileSync(`${FOLDER}/${name}`))
        .update('\0');
    }
    expect(readFileSync(`${FOLDER}/built/sources.sha256`, 'utf8').trim()).to.equal(hash.digest('hex'));
  });

  it('stays small, and brings no font and no address of a CDN', () => {
    const [script, style] = ['graphiql.js', 'graphiql.css'].map((name) => readFileSync(`${FOLDER}/built/${name}.gz`));
    expect((script?.length ?? 0) + (style?.length ?? 0)).to.be.below(600_000);
    const text = [script, style].map((file) => gunzipSync(file ?? '').toString()).join('\n');
    expect(text).not.to.match(/@font-face|url\(\s*["']?https?:|esm\.sh|unpkg\.com|jsdelivr/);
  });

  it('names no registry in its lock file', () => {
    expect(readFileSync(`${FOLDER}/package-lock.json`, 'utf8')).not.to.include('"resolved"');
  });
});
