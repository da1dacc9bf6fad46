import { expect } from 'chai';
import { isConnectionLost } from '../../../src/database/sqlState.js';

function failure(code: string, message: string): Error {
  return Object.assign(new Error(message), { code });
}

describe('a lost worker', () => {
  it('is told by what Citus says of it', () => {
    for (const [code, message] of [
      [
        '08006',
        'connection to the remote node x@127.0.0.1:5502 failed with the following error: Connection refused',
      ],
      [
        'XX000',
        'connection to the remote node x@127.0.0.1:5502 failed with the following error: connection not open',
      ],
      ['XX000', 'failure on connection marked as essential: 127.0.0.1:5502'],
      ['XX000', 'Query could not find the intermediate result file "89_1", it was mostly likely deleted'],
      ['XX000', 'could not find valid entry for shard 102018'],
      ['XX000', 'shard for the given value does not exist'],
    ] as const)
      expect(isConnectionLost(failure(code, message)), message).to.equal(true);
  });

  it('is not what other internal errors mean', () => {
    expect(isConnectionLost(failure('XX000', 'tuple concurrently updated'))).to.equal(false);
    expect(isConnectionLost(failure('22023', 'connection to the remote node'))).to.equal(false);
  });
});
