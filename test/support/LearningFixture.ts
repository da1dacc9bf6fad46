import { ingestClaims } from '../../src/commands/ingestClaims.js';
import type { JsonValue } from '../../src/domain/jsonValue.js';
import type { Purpose } from '../../src/domain/purposes.js';
import type { AttributeRegistry } from '../../src/domain/resolution/attributeRule.js';
import type { AccuracySnapshot } from '../../src/domain/resolution/types.js';
import { learnSources } from '../../src/jobs/learning/learnSources.js';
import { createTestDatabase } from './database.js';
import { IngestFixture } from './IngestFixture.js';

/** What one source says of one attribute. */
export interface Saying {
  attribute: string;
  value: JsonValue;
  source: string;
  confidence?: number;
  /** Default: the day before the fixture's first. */
  observedAt?: string;
}

/** Of five seconds each. */
const MAX_STEPS = 2000;

/** One app with its database, a clock that stands until it is moved, and a worker of learning besides. */
export class LearningFixture extends IngestFixture {
  override now = new Date('2026-01-01T00:00:00.000Z');

  private constructor(
    url: string,
    attributes: AttributeRegistry,
    private readonly drop: () => Promise<void>,
  ) {
    super(url, { poolSize: 4, attributes });
    this.workers['learning'] = learnSources;
  }

  static async open(attributes: AttributeRegistry = {}): Promise<LearningFixture> {
    const { serviceUrl, drop } = await createTestDatabase();
    const fixture = new LearningFixture(serviceUrl, attributes, drop);
    await fixture.addApp();
    return fixture;
  }

  async say(customerId: string, consentPurpose: Purpose, sayings: readonly Saying[]): Promise<void> {
    const collectedAt = '2025-12-31T00:00:00.000Z';
    const claims = sayings.map((saying) => ({
      confidence: 0.9,
      observedAt: collectedAt,
      ...saying,
      customerId,
      consentPurpose,
      provenance: { sourcePartner: saying.source, collectedAt },
    }));
    await this.command((tx, context) => ingestClaims(tx, context, { claims }));
  }

  advance(seconds: number): void {
    this.now = new Date(this.now.getTime() + seconds * 1000);
  }

  /**
   * Whether a learning is requested or at work. On a slow machine one rests long: its pause grows with what
   * the last one took.
   */
  private async isLearning(): Promise<boolean> {
    const waiting = `SELECT 1 FROM work_queue WHERE app_id = $1 AND queue = 'learning'
      AND subject NOT LIKE '%/daily'`;
    return (await this.rows(waiting)).length > 0;
  }

  /** Lets enough time pass for what was requested to be learned and for the facts to be made anew. */
  async learn(): Promise<void> {
    await this.work();
    for (let step = 0; step < 8 || (step < MAX_STEPS && (await this.isLearning())); step += 1) {
      this.advance(5);
      await this.work();
    }
  }

  /** What has been learned for a purpose, by its place. */
  async snapshot(purpose: number): Promise<AccuracySnapshot | undefined> {
    const [row] = await this.rows<{ snapshot: string }>(
      'SELECT snapshot FROM source_accuracies WHERE app_id = $1 AND purpose = $2',
      [purpose],
    );
    return row === undefined ? undefined : (JSON.parse(row.snapshot) as AccuracySnapshot);
  }

  override async close(): Promise<void> {
    await super.close();
    await this.drop();
  }
}
