import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect } from 'chai';

const LOGGED = `
  import pg from 'pg';
  import { createLog } from './dist/src/start/createLog.js';
  const log = createLog('info');
  const error = (fields) => Object.assign(new pg.DatabaseError('about a row', 1, 'error'), fields);
  log.error({ err: error({ severity: 'ERROR', code: '23505', constraint: 'apps_pkey' }) }, 'named');
  log.error({ err: error({ severity: 'ERROR', code: '25006', constraint: undefined }) }, 'unnamed');
  log.error({ err: new Error('of our own') }, 'own');
`;

describe('An error in the log', () => {
  it('has code and constraint of PostgreSQL only where there are any', async () => {
    const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', LOGGED]);
    const lines = stdout.trim().split('\n');
    const errors = lines.map((line) => ({ ...(JSON.parse(line) as { err: object }).err, stack: '' }));
    expect(errors).to.deep.equal([
      { type: 'DatabaseError', code: '23505', constraint: 'apps_pkey', stack: '' },
      { type: 'DatabaseError', code: '25006', stack: '' },
      { type: 'Error', message: 'of our own', stack: '' },
    ]);
  });
});
