import { expect } from 'chai';
import type { Reader } from '../../src/oauth/oauthReader.js';
import { oauthReader, reasonOf } from '../../src/oauth/oauthReader.js';

const QUERY = { name: 'a_query', text: 'SELECT $1' };

describe('oauthReader', () => {
  function failing(reason: Error): Promise<unknown> {
    const database: Reader = { read: () => Promise.reject(reason) };
    return oauthReader(database)
      .read(QUERY)
      .catch((error: unknown) => error);
  }

  it('passes statement, values and rows on', async () => {
    const asked: unknown[] = [];
    const read = (...values: unknown[]) => {
      asked.push(values);
      return Promise.resolve([{ one: 1 }]);
    };
    const reader = oauthReader({ read: read as Reader['read'] });
    expect(await reader.read(QUERY, ['a'])).to.deep.equal([{ one: 1 }]);
    await reader.read(QUERY);
    expect(asked).to.deep.equal([
      [QUERY, ['a']],
      [QUERY, []],
    ]);
  });

  it('turns an unreachable database into temporarily_unavailable', async () => {
    const gone = Object.assign(new Error('connect'), { code: 'ECONNREFUSED' });
    const error = await failing(gone);
    expect(reasonOf(error)).to.equal(gone);
    expect(error).to.include({
      error: 'temporarily_unavailable',
      error_description: 'the service cannot answer right now',
      status: 503,
      statusCode: 503,
    });
  });

  it('passes other errors on unchanged', async () => {
    const broken = new Error('broken');
    expect(await failing(broken)).to.equal(broken);
    expect(reasonOf(broken)).to.equal(broken);
  });
});
