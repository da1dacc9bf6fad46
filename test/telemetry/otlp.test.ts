import { createServer } from 'node:http';
import type { IncomingMessage, Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { readdirSync, readFileSync } from 'node:fs';
import { expect } from 'chai';
import type { Config } from '../../src/config.js';
import { createLog } from '../../src/start/createLog.js';
import { exportTelemetry } from '../../src/start/exportTelemetry.js';
import { createRegistry } from '../../src/http/metrics.js';
import { summaryOf } from '../../src/telemetry/statementSpan.js';
import { ChildService } from '../support/ChildService.js';
import { createTestDatabase } from '../support/database.js';
import { claimBody, expectStatus, grant, makeCustomer, sendClaims } from '../support/records.js';
import type { Json } from '../support/TestPartner.js';
import { TestReceiver } from '../support/TestReceiver.js';
import { TestService } from '../support/TestService.js';

/** A collector: takes OTLP/HTTP in JSON, as one of OpenTelemetry does. */
class Collector {
  readonly spans: Json[] = [];
  readonly metrics = new Map<string, Json>();
  readonly resources: Json[] = [];
  private readonly server: Server;

  constructor() {
    this.server = createServer((request, response) => {
      void this.take(request).then(() => response.setHeader('content-type', 'application/json').end('{}'));
    });
  }

  async start(): Promise<string> {
    await new Promise<void>((resolve) => this.server.listen(0, '127.0.0.1', resolve));
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  stop(): void {
    this.server.closeAllConnections();
    this.server.close();
  }

  named(name: string): Json[] {
    return this.spans.filter((span) => span.name === name);
  }

  private async take(request: IncomingMessage): Promise<void> {
    const body = (await json(request)) as Json;
    for (const { resource, scopeSpans } of body.resourceSpans ?? []) {
      this.resources.push(resource);
      for (const { spans } of scopeSpans) this.spans.push(...spans);
    }
    for (const { scopeMetrics } of body.resourceMetrics ?? [])
      for (const { metrics } of scopeMetrics)
        for (const metric of metrics) this.metrics.set(metric.name, metric);
  }
}

function attributesOf({ attributes }: Json): Record<string, unknown> {
  return Object.fromEntries(attributes.map(({ key, value }: Json) => [key, Object.values(value)[0]]));
}

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';
const PARENT = `00-${TRACE}-00f067aa0ba902b7-01`;

describe('Traces and metrics over OTLP', () => {
  const collector = new Collector();
  let receiver: TestReceiver;
  let customer: string;

  before(async () => {
    receiver = await TestReceiver.start();
    const endpoint = await collector.start();
    const service = await TestService.start({ OTEL_EXPORTER_OTLP_ENDPOINT: endpoint });
    const app = await service.makeApp();
    const hook = { url: receiver.url('/hook'), enabled_events: ['*'] };
    expectStatus(await app.rest('POST', '/v1/webhook-endpoints', hook), 201);
    customer = await makeCustomer(app, { external_id: 'somebody-private' });
    await grant(app, customer, 'personalization');
    await sendClaims(app, claimBody(customer, { value: 'very-private' }));
    await app.rest('GET', `/v1/customers/${customer}`, undefined, { traceparent: PARENT });
    await app.rest('GET', `/v1/profiles/${customer}?consent_purpose=analytics`);
    await app.graphql(
      'query Mine($id: ID!) { customer(id: $id) { id } }',
      { id: customer },
      { traceparent: PARENT },
    );
    await app.graphql('{ viewer { nothing } }');
    while (receiver.received.length === 0) await new Promise((wake) => setTimeout(wake, 20));
    // What was counted and traced up to now is sent when the service stops.
    await service.stop();
  });
  after(async () => {
    collector.stop();
    await receiver.stop();
  });

  it('contain a request below the span of its caller and its statements below it by name', () => {
    const [request] = collector.named('GET /v1/customers/:customer_id');
    expect([request?.traceId, request?.parentSpanId]).to.deep.equal([TRACE, '00f067aa0ba902b7']);
    expect(attributesOf(request)).to.deep.include({
      'http.response.status_code': 200,
      'http.request.method': 'GET',
    });
    expect(attributesOf(request)['consent.request_id']).to.match(/^req_/);
    const below = collector.spans.filter(
      ({ traceId, spanId }) => traceId === TRACE && spanId !== request.spanId,
    );
    expect(below.some((span) => attributesOf(span)['db.system.name'] === 'postgresql')).to.equal(true);
  });

  it('contain a span of a GraphQL operation named by its root fields', () => {
    const [operation] = collector.named('graphql customer');
    expect(operation?.traceId).to.equal(TRACE);
    const [request] = collector.named('POST /graphql').filter(({ traceId }) => traceId === TRACE);
    expect(operation?.parentSpanId).to.equal(request?.spanId);
  });

  it('contain spans of queue work and of each statement in a transaction', () => {
    const [work] = collector.named('work customer');
    expect(work).to.not.equal(undefined);
    const statements = collector.spans
      .filter(({ traceId }) => traceId === work.traceId)
      .map(({ name }) => name as string);
    expect(
      statements.some((name) => /^(INSERT|UPDATE|SELECT|DELETE) [a-z_]+$/.test(name)),
      statements.join(),
    ).to.equal(true);
  });

  it('continue in webhooks, which carry the context of their attempt', () => {
    const sent = receiver.received.map(({ headers }) => headers['traceparent'] ?? '');
    const attempts = collector
      .named('webhook POST')
      .map(({ traceId, spanId }) => `00-${traceId}-${spanId}-01`);
    expect(sent.length).to.be.greaterThan(0);
    for (const traceparent of sent) expect(attempts).to.include(traceparent);
  });

  it('contain the metrics of Prometheus with their types', () => {
    const value = (name: string): Json => collector.metrics.get(name);
    expect(value('http_request_duration_seconds').histogram.dataPoints.length).to.be.greaterThan(3);
    expect(value('ingest_items_settled_total').sum).to.deep.include({
      isMonotonic: true,
      aggregationTemporality: 2,
    });
    for (const name of [
      'build_info',
      'database_pool_connections',
      'database_pool_waiting',
      'work_queue_oldest_seconds',
    ])
      expect(value(name)?.gauge, name).to.not.equal(undefined);
    const denials = value('consent_gate_denied_total').sum.dataPoints.map(attributesOf);
    expect(denials).to.deep.include({ purpose: 'analytics', gate: 'receipt' });
    const operations = value('graphql_operation_duration_seconds').histogram.dataPoints;
    expect(operations.map(attributesOf)).to.deep.include({ operation: 'customer', outcome: 'ok' });
    for (const { count, bucketCounts } of operations)
      expect(bucketCounts.reduce((sum: number, one: unknown) => sum + Number(one), 0)).to.equal(
        Number(count),
      );
  });

  it('contain at a stop what the database tells', () => {
    const [look] = collector.metrics.get('work_queue_look_failed')?.gauge.dataPoints ?? [];
    expect(Number(look?.asDouble ?? look?.asInt)).to.equal(0);
  });

  it('contain the service name and no personal data', () => {
    const resource = attributesOf(collector.resources[0]);
    expect(resource).to.include.keys('service.name', 'service.version');
    // A number of a process would be the same in every container.
    expect(resource['service.instance.id']).to.match(/^all-[0-9a-f]{8}-[0-9a-f-]{27}$/);
    const all = JSON.stringify([collector.spans, [...collector.metrics.values()]]);
    expect(all).to.not.include('very-private').and.not.include('somebody-private').and.not.include('Bearer');
  });
});

describe('A process with an OTLP endpoint', () => {
  for (const role of ['all', 'worker'])
    it(`of the role ${role} stops without a warning and tells that the queues could be read`, async () => {
      const collector = new Collector();
      const database = await createTestDatabase();
      const service = await ChildService.start(database.ownerUrl, {
        OTEL_EXPORTER_OTLP_ENDPOINT: await collector.start(),
        LOG_LEVEL: 'warn',
        ROLE: role,
      });
      try {
        expect(await service.running.end('SIGTERM')).to.equal(0);
        expect(service.running.output).to.not.include('cannot look');
        const [look] = collector.metrics.get('work_queue_look_failed')?.gauge.dataPoints ?? [];
        expect(Number(look?.asDouble ?? look?.asInt)).to.equal(0);
      } finally {
        await service.kill();
        collector.stop();
        await database.drop();
      }
    });
});

describe('The service without an OTLP endpoint', () => {
  it('loads nothing of OpenTelemetry', () => {
    const files = readdirSync('src', { recursive: true, encoding: 'utf8' }).filter((name) =>
      name.endsWith('.ts'),
    );
    const importing = (pattern: RegExp): string[] =>
      files.filter((name) => pattern.test(readFileSync(`src/${name}`, 'utf8'))).toSorted();
    expect(importing(/^import .* from '@opentelemetry\//m)).to.deep.equal([
      'telemetry/RegistryProducer.ts',
      'telemetry/openTelemetry.ts',
    ]);
    expect(importing(/^import (?!type)[^;]* from '\.\/(openTelemetry|RegistryProducer)\.js'/m)).to.deep.equal(
      ['telemetry/openTelemetry.ts'],
    );
    expect(importing(/await import\('\.\/openTelemetry\.js'\)/)).to.deep.equal([
      'telemetry/startTelemetry.ts',
    ]);
  });

  it('sends no trace header and creates no span', async () => {
    const config = { otlpEndpoint: undefined } as Config;
    expect(await exportTelemetry(config, createRegistry(), createLog('silent'))).to.equal(undefined);
  });
});

describe('A statement without a name', () => {
  it('is named by its verb and table, without values', () => {
    const told: [string, string][] = [
      [`UPDATE customer_heads SET x = 1 WHERE app_id = $1`, 'UPDATE customer_heads'],
      [`INSERT INTO outbox (a) VALUES ('secret')`, 'INSERT outbox'],
      [`WITH k AS (SELECT 1) DELETE FROM inbox WHERE a = 'secret'`, 'DELETE inbox'],
      [`SELECT a, 'secret' FROM claims c JOIN facts f ON true`, 'SELECT claims'],
      ['SELECT a FROM customer_heads WHERE b = $1 FOR UPDATE SKIP LOCKED', 'SELECT customer_heads'],
      ['SELECT a FROM workflows w JOIN apps b ON true FOR NO KEY UPDATE OF w', 'SELECT workflows'],
      [`SELECT a FROM customer_heads FOR\n UPDATE SKIP LOCKED`, 'SELECT customer_heads'],
      [
        'WITH due AS (SELECT a FROM mail FOR UPDATE SKIP LOCKED) UPDATE outbox SET b = 1 FROM due',
        'UPDATE outbox',
      ],
      ['COMMIT', 'SQL'],
    ];
    for (const [text, summary] of told) expect(summaryOf(text)).to.equal(summary);
  });
});
