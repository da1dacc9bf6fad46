import type { IncomingMessage, ServerResponse } from 'node:http';
import { atMost } from '../concurrency/atMost.js';
import type { Logger } from 'pino';
import { Histogram } from 'prom-client';
import type { Registry } from 'prom-client';
import type { Config } from '../config.js';
import type { Database } from '../database/Database.js';
import { durationStep } from '../domain/overview/durationSteps.js';
import { notesOf, routeOf } from './requestNotes.js';
import type { RequestNotes } from './requestNotes.js';

/** An answered request. */
export interface AnsweredEntry {
  notes: RequestNotes;
  method: string;
  /** The pattern of the path. */
  route: string;
  status: number;
  durationMs: number;
}

interface Kept extends AnsweredEntry {
  receivedAt: Date;
}

/** The counts of one app's requests since the last flush. */
interface Batch {
  entries: Kept[];
  /** Durations of its requests except event streams, in milliseconds. */
  durations: number[];
  refused: number;
  failed: number;
  /** The number of sampled successful requests. */
  sampled: number;
}

const FLUSH_MS = 2000;

/** Maximum refused and failed requests kept per app and flush. */
const MAX_FAILURES = 200;

/** Maximum apps of one flush; requests of further apps are not recorded until it begins. */
const MAX_APPS = 1000;

const MAX_OPERATION = 200;

/** The status of a request whose client closed the connection before its answer, as nginx has it. */
const CLIENT_CLOSED = 499;

/** Maximum wait for handlers without clients when stopping, in milliseconds. */
const ABANDONED_MS = 3000;

export interface RequestLogParts {
  database: Database;
  config: Pick<Config, 'requestLogRate' | 'requestLines'>;
  log: Logger;
  clock: () => Date;
  metrics: Registry;
}

/**
 * Measures every answer by method, route and status. Counts the requests of each app and keeps the latest:
 * all refused and failed ones, and up to `REQUEST_LOG_RATE` others per second. Every two seconds, or later
 * when the last flush takes longer, each app's are written with one statement. Failed writes are dropped: no
 * request waits for them.
 */
export class RequestLog {
  private batches = new Map<string, Batch>();
  /** Records requests whose clients are gone while their handlers go on. */
  private readonly abandoned = new Map<() => void, Promise<void>>();
  private readonly timer: NodeJS.Timeout;
  private flushing: Promise<void> | undefined;
  private late: AbortSignal | undefined;
  private lines = 0;
  private readonly seconds: Histogram;

  constructor(private readonly parts: RequestLogParts) {
    this.seconds = new Histogram({
      name: 'http_request_duration_seconds',
      help: 'Time from the first byte of a request to the end of its answer',
      labelNames: ['method', 'route', 'status'],
      buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 5, 15],
      registers: [parts.metrics],
    });
    this.timer = setInterval(() => this.flushSoon(), FLUSH_MS);
    this.timer.unref();
  }

  /**
   * Records the request when its answer is written. If the client is gone before, its handler goes on: then
   * the request is recorded when the handler is through, as only that may tell the app, and with its error.
   */
  begin(request: IncomingMessage, response: ServerResponse): void {
    const start = performance.now();
    const end = (isAnswered: boolean): void => {
      const notes = notesOf(response);
      const { refusedWith } = notes;
      const code =
        refusedWith === undefined ? (ownError(request, notes) ?? 'client_closed') : 'invalid_request';
      this.record({
        notes: isAnswered ? notes : { ...notes, code },
        method: request.method ?? '',
        route: routeOf(request, response),
        status: isAnswered ? response.statusCode : (refusedWith ?? CLIENT_CLOSED),
        durationMs: performance.now() - start,
      });
    };
    response.once('close', () => {
      const { handled } = notesOf(response);
      if (response.writableFinished || isBegun(response)) end(true);
      else if (response.writableEnded || handled === undefined) end(false);
      else this.recordAfter(handled, () => end(false));
    });
  }

  private recordAfter(handled: Promise<void>, record: () => void): void {
    this.abandoned.set(record, handled);
    void handled.finally(() => {
      if (this.abandoned.delete(record)) record();
    });
  }

  record(entry: AnsweredEntry): void {
    const { method, route, status, durationMs } = entry;
    this.seconds.observe({ method, route, status }, durationMs / 1000);
    this.print(entry);
    const { appId } = entry.notes;
    const batch = appId === undefined ? undefined : this.batchOf(appId);
    if (batch === undefined) return;
    const isFailed = outcomeOf(entry) === 'failed';
    const isRefused = outcomeOf(entry) === 'refused';
    if (isFailed) batch.failed += 1;
    if (isRefused) batch.refused += 1;
    if (entry.notes.isStream !== true) batch.durations.push(durationMs);
    this.keep(batch, entry, isFailed || isRefused);
  }

  /**
   * Writes the counts after those under way, with requests whose handlers go on without their clients.
   *
   * @param late when what is not yet written is dropped
   */
  async close(late?: AbortSignal): Promise<void> {
    this.late = late;
    clearInterval(this.timer);
    await atMost(ABANDONED_MS, Promise.allSettled(this.abandoned.values()));
    for (const record of this.abandoned.keys()) record();
    this.abandoned.clear();
    await this.flushing;
    await this.flush();
  }

  /** Writes the counts, if any. While a flush is under way they wait for the next one. */
  private flushSoon(): void {
    if (this.batches.size === 0 || this.flushing !== undefined) return;
    this.flushing = this.flush().finally(() => (this.flushing = undefined));
  }

  private flush(): Promise<void> {
    const { batches } = this;
    this.batches = new Map();
    return this.write(batches);
  }

  private batchOf(appId: string): Batch | undefined {
    const known = this.batches.get(appId);
    if (known !== undefined || this.batches.size >= MAX_APPS) return known;
    const made = { entries: [], durations: [], refused: 0, failed: 0, sampled: 0 };
    this.batches.set(appId, made);
    return made;
  }

  private keep(batch: Batch, entry: AnsweredEntry, wentWrong: boolean): void {
    const limit = (this.parts.config.requestLogRate * FLUSH_MS) / 1000;
    if (wentWrong ? batch.entries.length - batch.sampled >= MAX_FAILURES : batch.sampled >= limit) return;
    if (!wentWrong) batch.sampled += 1;
    batch.entries.push({ ...entry, receivedAt: new Date(this.parts.clock().getTime() - entry.durationMs) });
  }

  /** Logs every fault, and an evenly spread share of the rest (`REQUEST_LINES`). */
  private print(entry: AnsweredEntry): void {
    const { notes, method, route, status, durationMs } = entry;
    const { config, log } = this.parts;
    this.lines += config.requestLines;
    if (this.lines < 100 && outcomeOf(entry) !== 'failed') return;
    this.lines %= 100;
    log.info(
      {
        request_id: notes.requestId,
        method,
        route,
        status,
        duration_ms: Math.round(durationMs * 100) / 100,
        app_id: notes.appId,
        operation: notes.operation,
        code: notes.code,
      },
      'request',
    );
  }

  private async write(batches: ReadonlyMap<string, Batch>): Promise<void> {
    for (const [appId, batch] of batches) {
      if (this.late?.aborted === true) return;
      try {
        const values = [appId, ...entryColumns(batch.entries), ...tallyColumns(batch)];
        await this.parts.database.transaction(appId, async (tx) => tx.send(WRITE, values), { byKeys: true });
      } catch (error) {
        this.parts.log.warn(
          { err: error, app_id: appId },
          'requests could not be written to the request log',
        );
      }
    }
  }
}

/** Whether the status was sent: of a stream, or of an answer that waits for the rest of the body. */
function isBegun(response: ServerResponse): boolean {
  return response.headersSent && (notesOf(response).isStream === true || !response.writableEnded);
}

/** The error of the handler, other than that the client left before its body was read. */
function ownError(request: IncomingMessage, { code }: RequestNotes): string | undefined {
  return code === 'invalid_request' && !request.readableEnded ? undefined : code;
}

function outcomeOf({ notes, status }: AnsweredEntry): 'fine' | 'refused' | 'failed' {
  if (status >= 500 || FAULTS.has(notes.code ?? '')) return 'failed';
  return status >= 400 || notes.code !== undefined ? 'refused' : 'fine';
}

const FAULTS = new Set(['internal_error', 'unavailable']);

function entryColumns(entries: readonly Kept[]): unknown[] {
  return [
    entries.map(({ notes }) => notes.requestId),
    entries.map(({ receivedAt }) => receivedAt),
    entries.map(({ method }) => method),
    entries.map(({ route }) => route),
    entries.map(({ notes }) => notes.operation?.slice(0, MAX_OPERATION) ?? null),
    entries.map(({ status }) => status),
    entries.map(({ notes }) => notes.code ?? null),
    entries.map(({ durationMs }) => Math.min(2 ** 31 - 1, Math.round(durationMs * 1000))),
  ];
}

function tallyColumns({ durations, refused, failed }: Batch): unknown[] {
  const steps = new Map<number, number>();
  for (const step of durations.map(durationStep)) steps.set(step, (steps.get(step) ?? 0) + 1);
  const rows: [string, number, number][] = [...steps].map(([step, amount]) => ['request', step, amount]);
  if (refused > 0) rows.push(['request_refused', -1, refused]);
  if (failed > 0) rows.push(['request_failed', -1, failed]);
  return [rows.map(([measure]) => measure), rows.map(([, key]) => key), rows.map(([, , amount]) => amount)];
}

const WRITE = `
  WITH kept AS (
    INSERT INTO request_log (app_id, request_id, received_at, method, route, operation, status, code,
      duration_us)
    SELECT $1, e.* FROM unnest($2::text[], $3::timestamptz[], $4::text[], $5::text[], $6::text[],
      $7::smallint[], $8::text[], $9::integer[]) AS e
    RETURNING 1
  )
  INSERT INTO tally_changes (app_id, measure, key, amount)
  SELECT $1, t.* FROM unnest($10::text[], $11::smallint[], $12::integer[]) AS t RETURNING 1`;
