import { expect } from 'chai';
import { isConnectionLost } from '../../../src/database/sqlState.js';

function failure(code: string, message: string): Error {
  return Object.assign(new Error(message), { code });
}

describe('a lost worker', () => {
  it('is recognized by the error that Citus reports', () => {
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
      ['XX000', 'could not commit transaction for shard 102236 on at least one active node'],
      ['XX000', "failed to prepare transaction 'citus_0_1_2_3' on host 127.0.0.1:5502"],
      ['XX000', 'terminating connection due to unexpected postmaster exit'],
      ['XX000', 'terminating connection because of crash of another server process'],
      ['XX000', 'the database system is shutting down'],
      ['XX000', 'server closed the connection unexpectedly\n\tThis probably means the server terminated'],
      ['XX000', 'could not receive data from server: Connection reset by peer'],
      ['XX000', 'could not send data to server: Broken pipe'],
      ['XX000', 'SSL connection has been closed unexpectedly'],
      ['XX000', 'SSL SYSCALL error: EOF detected'],
      ['XX000', 'no connection to the server'],
    ] as const)
      expect(isConnectionLost(failure(code, message)), message).to.equal(true);
  });

  it('is not reported for other internal errors', () => {
    expect(isConnectionLost(failure('XX000', 'tuple concurrently updated'))).to.equal(false);
    expect(isConnectionLost(failure('22023', 'connection to the remote node'))).to.equal(false);
  });
});
