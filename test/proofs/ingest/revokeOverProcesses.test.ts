import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { ChildService } from '../../support/ChildService.js';
import { eventBody, makeEntry, putBooks } from '../../support/ingestRecords.js';
import { grant, makeCustomer, revoke } from '../../support/records.js';
import { recordProof } from '../../support/recordProof.js';
import type { TestPartner } from '../../support/TestPartner.js';
import { TestService } from '../../support/TestService.js';
import { IN_PROOFS, itInProofs } from '../../support/itInProofs.js';

const REVOKES = IN_PROOFS ? 1000 : 20;
const CONTROL_REVOKES = 20;
const CUSTOMERS = 4;
const PURPOSE = 'personalization';

/** As the owner: notes where each revoke cuts its customer's series, in the transaction of the revoke. */
const NOTE_CUTS = `
  CREATE TABLE cuts (customer_id text, epoch integer, sequence bigint);
  CREATE FUNCTION note_cut() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER AS $$
    BEGIN INSERT INTO public.cuts VALUES (NEW.customer_id, NEW.epochs[2], NEW.sequence); RETURN NULL; END $$;
  CREATE TRIGGER note_cut AFTER UPDATE ON customer_heads FOR EACH ROW
    WHEN (OLD.granted_mask & 2 = 2 AND NEW.granted_mask & 2 = 0) EXECUTE FUNCTION note_cut()`;

/** Events of a closed epoch that got a place after its cut. */
const OVERTAKEN = `
  SELECT count(*)::int AS n FROM cuts c WHERE EXISTS (
    SELECT FROM (SELECT customer_id, epoch, sequence FROM inbox UNION ALL SELECT customer_id, epoch, sequence
      FROM events) item
     WHERE item.customer_id = c.customer_id AND item.epoch = c.epoch AND item.sequence > c.sequence)`;

/** What of a closed epoch is left, and what is not done yet. */
const LEFT = `
  SELECT (SELECT count(*)::int FROM intents i JOIN customer_heads h USING (app_id, customer_id)
           WHERE i.epoch < h.epochs[2] OR h.granted_mask & 2 = 0) AS intents,
         (SELECT count(*)::int FROM events e JOIN customer_heads h USING (app_id, customer_id)
           WHERE e.epoch < h.epochs[2] AND (e.payload IS NOT NULL OR e.object IS NOT NULL)) AS contents,
         (SELECT count(*)::int FROM inbox) AS waiting,
         (SELECT count(*)::int FROM workflows WHERE status NOT IN ('completed', 'failed')) AS workflows`;

interface Storm {
  cuts: number;
  overtaken: number;
  /** Events that were accepted after the answer to a revoke and before the next grant. */
  acceptedWhileShut: number;
  sent: number;
}

describe('Revocations during ingestion over several processes', function () {
  this.timeout(IN_PROOFS ? 1_800_000 : 240_000);
  let service: TestService;
  let app: TestPartner;
  let object: string;
  let children: ChildService[] = [];

  beforeEach(async () => {
    service = await TestService.start({ ROLE: 'gateway' });
    await putBooks(service);
    app = await service.makeApp();
    object = await makeEntry(app);
    await service.sql(NOTE_CUTS);
  });
  afterEach(async () => {
    await Promise.all(children.splice(0).map((child) => child.kill()));
    await service.stop();
  });

  /**
   * Revokes and grants by some while all that may send do, through every process by turns.
   *
   * @param isReady a customer's revokes wait until it holds
   */
  async function storm(
    senders: readonly TestPartner[],
    revokers: readonly TestPartner[],
    revokes: number,
    isReady: (customer: string) => Promise<boolean> = async () => true,
  ): Promise<Storm> {
    const customers = await Promise.all(Array.from({ length: CUSTOMERS }, () => makeCustomer(app)));
    const ending = new AbortController();
    let [sent, acceptedWhileShut] = [0, 0];
    const send = async (by: TestPartner, customer: string): Promise<boolean> => {
      const events = [eventBody(customer, object), eventBody(customer, object, { event_type: 'viewed' })];
      const { body } = await by.rest('POST', '/v1/events/batch', { events });
      sent += events.length;
      return Number(body?.accepted ?? 0) > 0;
    };
    const sending = customers.map(async (customer, place) => {
      for (let turn = place; !ending.signal.aborted; turn += 1) await send(at(senders, turn), customer);
    });
    const revoking = customers.map(async (customer, place) => {
      for (let turn = place; turn < place + revokes / CUSTOMERS; turn += 1) {
        const receipt = await grant(at(revokers, turn), customer, PURPOSE);
        while (!(await isReady(customer))) await sleep(5);
        await sleep(Math.random() * 20);
        await revoke(at(revokers, turn + 1), receipt);
        if (await send(at(senders, turn), customer)) acceptedWhileShut += 1;
      }
    });
    await Promise.all(revoking).finally(() => ending.abort());
    await Promise.all(sending);
    const [{ n: overtaken }] = await service.sql(OVERTAKEN);
    const [{ n: cuts }] = await service.sql('SELECT count(*)::int AS n FROM cuts');
    return { cuts, overtaken, acceptedWhileShut, sent };
  }

  async function hasProcessed(customer: string): Promise<boolean> {
    const found = await service.sql(
      `SELECT FROM events WHERE customer_id = $1 AND status = 'processed' LIMIT 1`,
      [customer],
    );
    return found.length > 0;
  }

  let figure = '';

  it(`stop and erase all events of ${REVOKES} closed epochs`, async () => {
    const start = (): Promise<ChildService> => ChildService.start(service.database.ownerUrl, { ROLE: 'all' });
    children = [await start(), await start()];
    const nodes = [app, ...children.map(({ url }) => app.at(url))];
    const seen = await storm(nodes, nodes.toReversed(), REVOKES, hasProcessed);
    const { cuts, overtaken, acceptedWhileShut, sent } = seen;
    expect({ cuts, overtaken, acceptedWhileShut }).to.deep.equal({
      cuts: REVOKES,
      overtaken: 0,
      acceptedWhileShut: 0,
    });
    let [left] = await service.sql(LEFT);
    while (left.waiting > 0 || left.workflows > 0) {
      await sleep(50);
      [left] = await service.sql(LEFT);
    }
    expect(left).to.deep.equal({ intents: 0, contents: 0, waiting: 0, workflows: 0 });
    const [{ n: processed }] = await service.sql(
      `SELECT count(*)::int AS n FROM events WHERE status = 'processed'`,
    );
    expect(processed).to.be.greaterThan(0);
    figure = `${sent} events sent, ${processed} applied; ${overtaken} after their cut, ${acceptedWhileShut} accepted after a revoke`;
  });

  itInProofs('miss events when one process tests consent without the lock (control)', async () => {
    children = [
      await ChildService.start(
        service.database.ownerUrl,
        { ROLE: 'gateway' },
        'proofs/variants/unlockedIngest.js',
      ),
    ];
    const [broken] = children as [ChildService];
    const { overtaken } = await storm([app.at(broken.url)], [app], CONTROL_REVOKES);
    expect(overtaken).to.be.greaterThan(0);
    recordProof({
      proof: 'ingest/revokeOverProcesses',
      injected: 'revokes and new grants through three processes while events are accepted and applied by all',
      times: REVOKES,
      checked: 'each revoke cuts its series in every process; nothing of a closed epoch is applied or stays',
      figure,
      broken: `one process tests consent without the lock: ${overtaken} of ${CONTROL_REVOKES} epochs overtaken`,
    });
  });
});

function at(nodes: readonly TestPartner[], turn: number): TestPartner {
  return nodes[turn % nodes.length] as TestPartner;
}
