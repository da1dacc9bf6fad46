import pg from 'pg';
import type { RunningService } from '../../src/app.js';
import { factText } from '../../src/domain/factText.js';
import { grant, makeCustomer, revoke } from '../support/records.js';
import type { Standby } from '../support/Standby.js';
import type { TestPartner } from '../support/TestPartner.js';

export interface TrialResult {
  reads: number;
  /** Reads begun after a revoke was answered that showed what it closed. */
  stale: number;
  revokes: number;
  faults: number;
  fromReplica: number;
  fallbacks: number;
  /** The same of reads that took gate and body from the standby. */
  controlReads: number;
  controlStale: number;
}

interface Subject {
  id: string;
  receiptId: string;
  epoch: number;
  /** The newest epoch whose revocation has been answered. */
  closed: number;
}

const READERS = 6;
const WRITERS = 3;
/** Of personalization in the vocabulary. */
const PURPOSE = 1;

const CONTROL = `SELECT f.rest_document AS text FROM customer_heads h JOIN facts f ON f.app_id = h.app_id AND f.customer_id = h.customer_id
                  WHERE h.app_id = $1 AND h.customer_id = $2 AND (h.granted_mask >> f.purpose) & 1 = 1 AND f.epoch = h.epochs[f.purpose + 1]`;

/** Grants, revokes and reads at once, under faults of the standby. Each fact tells the epoch that it belongs to. */
export class ReplicaTrial {
  private readonly standby: Standby;
  private readonly app: TestPartner;
  private readonly count: number;
  private readonly owner: pg.Pool;
  private readonly control: pg.Pool;
  private readonly subjects = new Map<string, Subject>();
  private readonly result: TrialResult = {
    reads: 0,
    stale: 0,
    revokes: 0,
    faults: 0,
    fromReplica: 0,
    fallbacks: 0,
    controlReads: 0,
    controlStale: 0,
  };

  constructor(running: RunningService, standby: Standby, app: TestPartner, count: number) {
    this.standby = standby;
    this.app = app;
    this.count = count;
    this.owner = new pg.Pool({ connectionString: standby.primary.url, max: 4 });
    this.control = new pg.Pool({
      connectionString: standby.url,
      max: 2,
      connectionTimeoutMillis: 200,
      query_timeout: 200,
    });
    this.control.on('error', () => undefined);
    this.control.on('connect', (client) => client.on('error', () => undefined));
    this.countReplicaReads(running);
  }

  /** Customers with consent and a fact each; their ids. */
  async prepare(): Promise<string[]> {
    for (let index = 0; index < this.count; index += 1) {
      const id = await makeCustomer(this.app);
      this.subjects.set(id, { id, receiptId: '', epoch: 0, closed: 0 });
      await this.grant(id);
      await this.writeFact(this.subject(id));
    }
    return [...this.subjects.keys()];
  }

  async run(seconds: number): Promise<TrialResult> {
    const ids = await this.prepare();
    await this.caughtUp();
    const until = performance.now() + seconds * 1000;
    const readers = Array.from({ length: READERS }, () => repeat(until, () => this.read(pick(ids))));
    const writers = Array.from({ length: WRITERS }, (_, writer) => {
      const own = ids.filter((_id, index) => index % WRITERS === writer);
      return repeat(until, () => this.cycle(pick(own)));
    });
    const controls = repeat(until, () => this.readControl(pick(ids)));
    await Promise.all([...readers, ...writers, controls, repeat(until, () => this.fault())]);
    return this.result;
  }

  async close(): Promise<void> {
    await Promise.all([this.owner.end(), this.control.end()]);
  }

  async grant(id: string): Promise<void> {
    const subject = this.subject(id);
    subject.receiptId = await grant(this.app, id, 'personalization');
    const { rows } = await this.owner.query<{ epochs: number[] }>(
      'SELECT epochs FROM customer_heads WHERE customer_id = $1',
      [id],
    );
    subject.epoch = rows[0]?.epochs[PURPOSE] ?? 0;
  }

  async revoke(id: string): Promise<void> {
    const subject = this.subject(id);
    await revoke(this.app, subject.receiptId);
    subject.closed = subject.epoch;
    this.result.revokes += 1;
  }

  /** Waits until the standby has replayed what the primary has now. */
  async caughtUp(): Promise<void> {
    const { rows } = await this.owner.query<{ lsn: string }>('SELECT pg_current_wal_flush_lsn() AS lsn');
    for (;;) {
      const { rows: there } = await this.control.query<{ done: boolean }>(
        'SELECT pg_last_wal_replay_lsn() >= $1::pg_lsn AS done',
        [rows[0]?.lsn],
      );
      if (there[0]?.done === true) return;
      await sleep(20);
    }
  }

  private async cycle(id: string): Promise<void> {
    await this.revoke(id);
    await sleep(20);
    await this.grant(id);
    await this.writeFact(this.subject(id));
    await sleep(30);
  }

  private async writeFact({ id, epoch }: Subject): Promise<void> {
    const fact = {
      attribute: 'epoch',
      resolvedValue: epoch,
      confidence: 1,
      resolutionMethod: 'consensus',
      consentPurpose: 'personalization',
      evidence: [],
      alternatives: [],
    };
    await this.owner.query(
      `INSERT INTO facts (app_id, customer_id, purpose, attribute, epoch, document, rest_document, resolved_at) VALUES ($1, $2, $3, 'epoch', $4, $5, $6, now())
       ON CONFLICT (app_id, customer_id, purpose, attribute)
       DO UPDATE SET epoch = excluded.epoch, document = excluded.document, rest_document = excluded.rest_document`,
      [this.app.appId, id, PURPOSE, epoch, factText('graphql', fact), factText('rest', fact)],
    );
  }

  private async read(id: string): Promise<void> {
    const { closed } = this.subject(id);
    const { status, body } = await this.app.rest('GET', `/v1/profiles/${id}`);
    if (status !== 200) throw new Error(`A read ended with ${status}`);
    this.result.reads += 1;
    const facts = body.facts as { resolved_value: number }[];
    if (facts.some(({ resolved_value }) => resolved_value <= closed)) this.result.stale += 1;
  }

  private async readControl(id: string): Promise<void> {
    const { closed } = this.subject(id);
    try {
      const { rows } = await this.control.query<{ text: string }>(CONTROL, [this.app.appId, id]);
      this.result.controlReads += 1;
      if (rows.some(({ text }) => (JSON.parse(text) as { resolved_value: number }).resolved_value <= closed))
        this.result.controlStale += 1;
    } catch {
      await sleep(20);
    }
  }

  private async fault(): Promise<void> {
    await [() => this.lag(), () => this.freeze(), () => this.crash()][this.result.faults % 3]?.();
    this.result.faults += 1;
    await sleep(150);
  }

  private async lag(): Promise<void> {
    await this.standby.pauseReplay();
    await sleep(600);
    await this.standby.resumeReplay();
  }

  private async freeze(): Promise<void> {
    this.standby.signal('SIGSTOP');
    await sleep(400);
    this.standby.signal('SIGCONT');
  }

  private async crash(): Promise<void> {
    await this.standby.kill();
    await this.standby.launch();
  }

  private countReplicaReads({ services }: RunningService): void {
    const { replicas } = services;
    if (replicas === undefined) throw new Error('The service has no replicas.');
    const readAs = replicas.readAs.bind(replicas);
    replicas.readAs = async (...question) => {
      const rows = await readAs(...question);
      if (rows === undefined) this.result.fallbacks += 1;
      else this.result.fromReplica += 1;
      return rows as never;
    };
  }

  private subject(id: string): Subject {
    const subject = this.subjects.get(id);
    if (subject === undefined) throw new Error('A customer that was not prepared');
    return subject;
  }
}

async function repeat(until: number, work: () => Promise<void>): Promise<void> {
  while (performance.now() < until) await work();
}

function pick<T>(items: readonly T[]): T {
  return items[Math.floor(Math.random() * items.length)] as T;
}

function sleep(ms: number): Promise<void> {
  return new Promise((wake) => setTimeout(wake, ms));
}
