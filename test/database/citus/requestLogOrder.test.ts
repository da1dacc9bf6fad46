import { expect } from 'chai';
import { citusNodes } from '../../support/citusNodes.js';
import { execute } from '../../support/execute.js';
import { skipUnless } from '../../support/skipUnless.js';
import type { TestPartner } from '../../support/TestPartner.js';
import { TestService } from '../../support/TestService.js';

const ENTRIES = 4;
/** Of what was not found: asking for the log is in the log too. */
const LOG = '{ requestLog(first: 100, status: 404) { nodes { requestId } } }';

interface Place {
  shardid: string;
  host: string;
  port: number;
}

describe('the request log of an app whose shard moves', function () {
  this.timeout(300_000);
  let service: TestService;
  let app: TestPartner;

  before(async function () {
    skipUnless(this, citusNodes.length > 2, 'it needs a Citus cluster of two workers: npm run proof:citus');
    service = await TestService.start({ REQUEST_LOG_RATE: '1000' });
    app = await service.makeApp();
  });
  after(() => service?.stop());

  const sql = <T>(text: string): Promise<T[]> => execute<T>(service.database.ownerUrl, text);

  /** Sends requests one after another, and waits until they are written. @returns their ids */
  async function asked(): Promise<string[]> {
    const ids: string[] = [];
    while (ids.length < ENTRIES) {
      const answer = await app.rest('GET', '/v1/customers/cus_nobody');
      expect(answer.status).to.equal(404);
      const id = answer.headers.get('x-request-id') ?? '';
      while (!(await logged()).includes(id)) await new Promise((wake) => setTimeout(wake, 50));
      ids.push(id);
    }
    return ids;
  }

  /** The ids of the app's requests for nobody, the newest first. */
  async function logged(): Promise<string[]> {
    const { data, errors } = await app.graphql(LOG);
    expect(errors).to.deep.equal([]);
    return (data.requestLog.nodes as { requestId: string }[]).map(({ requestId }) => requestId);
  }

  async function place(): Promise<Place> {
    const [found] = await sql<Place>(
      `SELECT s.shardid, n.nodename AS host, n.nodeport AS port FROM pg_dist_placement s
         JOIN pg_dist_node n USING (groupid)
        WHERE s.shardid = get_shard_id_for_distribution_column('request_log', '${app.appId}')`,
    );
    if (found === undefined) throw new Error('The app has no shard.');
    return found;
  }

  async function move(): Promise<void> {
    const { shardid, host, port } = await place();
    const [target] = await sql<Place>(
      `SELECT nodename AS host, nodeport AS port FROM pg_dist_node WHERE groupid <> 0 AND nodeport <> ${port}`,
    );
    await sql(
      `SELECT citus_move_shard_placement(${shardid}, '${host}', ${port}, '${target?.host}', ${target?.port},
         'block_writes')`,
    );
    expect((await place()).port).to.equal(target?.port);
  }

  it('lists its requests in the order in which they came, before and after', async () => {
    const ids = await asked();
    for (let moves = 0; moves < 2; moves += 1) {
      await move();
      ids.push(...(await asked()));
    }
    expect(await logged()).to.deep.equal(ids.toReversed());
  });
});
