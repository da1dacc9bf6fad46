import { hash } from 'node:crypto';
import { execute, GraphQLError } from 'graphql';
import type { DocumentNode, ExecutionResult, GraphQLSchema } from 'graphql';
import type { Caller } from '../../access/Caller.js';
import { createContext } from '../../access/createContext.js';
import { describeError, isOurFault } from '../../access/describeError.js';
import { authorize } from '../../access/FieldAccess.js';
import type { FieldAccess } from '../../access/FieldAccess.js';
import { printInSlices } from '../../execution/printInSlices.js';
import { backOff } from '../../domain/backOff.js';
import { unauthenticated } from '../../errors.js';
import type { ServiceError } from '../../errors.js';
import type { Watcher } from '../../live/LiveChanges.js';
import type { Topic } from '../../live/topic.js';
import type { RequestServices } from '../../Services.js';
import { logFaults, shownErrors } from '../shownErrors.js';
import type { AnsweredRequest } from '../shownErrors.js';
import { WITHOUT_HOLD } from './GateHold.js';
import type { GateFlush, GateHold } from './GateHold.js';
import type { LiveMessage, LiveStream } from './LiveStream.js';
import { PendingChanges } from './PendingChanges.js';

export interface LiveOperation {
  schema: GraphQLSchema;
  document: DocumentNode;
  operationName: string | undefined;
  variables: Record<string, unknown>;
  /** The field's name in the answer. */
  responseName: string;
  /** Who may use the field. */
  access: FieldAccess;
}

/** A subscriber, as its transport provides it. */
export interface Subscriber {
  identify: () => Promise<Caller>;
  requestId: string;
  /** The last event that the client has received. */
  lastEventId: string | undefined;
  /** Closes the connection of a subscriber that does not keep up. */
  cut: () => void;
}

export interface LiveSubscriptionOptions extends Subscriber {
  /** The services of live reads: a separate pool, and no replicas. */
  services: RequestServices;
  operation: LiveOperation;
  topic: Topic;
  stream: LiveStream;
  hold: GateHold;
}

/** Pauses after a temporary failure, in milliseconds. */
const FIRST_RETRY_MS = 500;
const MAX_RETRY_MS = 10_000;

/**
 * One subscription. Each event is a separate guarded read in a new context: the caller is identified again,
 * and scope and consent are checked again. A refusal ends the stream. An event costs its app one read, taken
 * before it is read and returned when nothing is told. While the limit is reached, the event waits, unless
 * consent changed: what the subscriber shows may be withdrawn. If it is not known what changed, a refusal is
 * told and anything else waits.
 */
export class LiveSubscription implements Watcher {
  readonly topic: Topic;
  private readonly changes: PendingChanges;
  private lastEventId: string | undefined;
  private working = false;
  private checking = false;
  private ending = false;
  private consentChanged = false;
  private isUnsure = false;
  private retries = 0;
  private timer: NodeJS.Timeout | undefined;

  constructor(private readonly options: LiveSubscriptionOptions) {
    this.topic = options.topic;
    this.lastEventId = options.lastEventId;
    this.changes = new PendingChanges(options.services, options.topic);
  }

  /** Starts the first read, of changes before the subscription. */
  async start(): Promise<void> {
    await this.changes.begin(this.lastEventId);
    this.work();
  }

  wake(kind: string, detail?: string): void {
    this.changes.add(detail);
    if (kind === 'consent') {
      this.consentChanged = true;
      this.stop();
    }
    this.work();
  }

  lookSince(time: Date): void {
    void this.changes.addSince(time).then(() => {
      this.isUnsure = true;
      this.stop();
      this.work();
    });
  }

  /** Ends the stream when the caller is no longer accepted or lacks the scope. */
  recheck(): void {
    if (this.checking || this.working) return;
    this.checking = true;
    void this.options
      .identify()
      .then(
        (caller) => this.requireAllowed(caller),
        () => undefined,
      )
      .finally(() => (this.checking = false));
  }

  stop(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
  }

  private async requireAllowed(caller: Caller): Promise<void> {
    try {
      authorize(this.options.operation.access, caller);
    } catch (error) {
      await this.finish(describeError(error));
    }
  }

  private work(): void {
    if (this.working || this.ending || this.timer !== undefined || this.options.stream.isOver) return;
    this.working = true;
    void this.run().finally(() => {
      this.working = false;
      if (this.changes.next !== undefined) this.work();
    });
  }

  private async run(): Promise<void> {
    const change = this.changes.next;
    if (change === undefined) return;
    const { topic, options, consentChanged, isUnsure } = this;
    const { rateLimiter } = options.services;
    this.consentChanged = false;
    this.isUnsure = false;
    try {
      const overLimit = consentChanged ? undefined : await this.takePoint();
      if (overLimit !== undefined && !isUnsure) throw overLimit;
      if (consentChanged || overLimit !== undefined) await rateLimiter.correct(topic.appId, 'read', 1);
      let told = false;
      try {
        told = await options.hold.around(topic, change.id, (flush) => this.tell(change.id, flush, overLimit));
      } finally {
        if (!told) await rateLimiter.correct(topic.appId, 'read', -1);
      }
      this.retries = 0;
      this.changes.done(change);
    } catch (error) {
      this.consentChanged ||= consentChanged;
      this.isUnsure ||= isUnsure;
      this.fail(error);
    }
  }

  /** @returns why there is no point left */
  private takePoint(): Promise<Error | undefined> {
    const { rateLimiter } = this.options.services;
    return rateLimiter.take(this.topic.appId, 'read', 1).then(
      () => undefined,
      (error: Error) => error,
    );
  }

  /**
   * @param overLimit why nothing but a refusal, or a change of consent, is told
   * @returns whether the subscriber was sent an event, which its app pays for
   * @throws overLimit
   */
  private async tell(
    changed: string | undefined,
    flush: GateFlush,
    overLimit: Error | undefined,
  ): Promise<boolean> {
    const { services, identify, stream } = this.options;
    const caller = await identify();
    if (stream.isOver) return false;
    if (caller.kind === 'anonymous') {
      await this.finish(unauthenticated(caller), flush);
      return false;
    }
    const context = createContext(services, caller, this.options.requestId);
    const { schema, document, operationName, variables, responseName } = this.options.operation;
    const rootValue = { changed, readAgain: this.changes.readAgain };
    const result = await execute({
      schema,
      document,
      operationName: operationName ?? null,
      variableValues: variables,
      contextValue: context,
      rootValue,
    });
    const refusal = refusalOf(result, responseName);
    if (refusal !== undefined && isTransient(refusal)) throw refusal;
    if (overLimit !== undefined && refusal === undefined && this.topic.kind !== 'consent') throw overLimit;
    logFaults(result.errors ?? [], context);
    const message = await this.messageOf(result);
    const told = refusal !== undefined || this.isNews(message, result);
    if (told) {
      await context.charge.settle();
      await context.charge.answer(message.text.length);
      await flush(() => stream.push(message), this.options.cut);
    }
    this.lastEventId = message.eventId;
    if (refusal !== undefined) stream.end();
    return told;
  }

  /** Whether the message is new: not a state already sent, and not an empty read of a topic of many. */
  private isNews({ eventId }: LiveMessage, { data }: ExecutionResult): boolean {
    if (!this.changes.isStream) return eventId !== this.lastEventId;
    return this.changes.readAgain || (data?.[this.options.operation.responseName] ?? null) !== null;
  }

  private get request(): AnsweredRequest {
    const { requestId, services } = this.options;
    return { requestId, baseUrl: services.config.baseUrl };
  }

  private async messageOf({ data, errors }: ExecutionResult): Promise<LiveMessage> {
    const printed = await printInSlices(data ?? null);
    const eventId = this.changes.eventIdOf(() => digestOf(printed));
    const shown =
      errors === undefined ? '' : `"errors":${JSON.stringify(shownErrors(errors, this.request))},`;
    const extensions = { eventId, ...(this.changes.readAgain ? { readAgain: true } : {}) };
    return {
      eventId,
      text: `{${shown}"data":${printed},"extensions":${JSON.stringify(extensions)}}`,
    };
  }

  /** Ends the stream with an error, once the subscriber has read it or took too long. */
  private async finish(error: ServiceError, flush: GateFlush = WITHOUT_HOLD): Promise<void> {
    const { stream, operation, cut } = this.options;
    if (stream.isOver || this.ending) return;
    this.ending = true;
    const refusal = new GraphQLError(error.message, { path: [operation.responseName], originalError: error });
    const result = { errors: shownErrors([refusal], this.request), data: { [operation.responseName]: null } };
    try {
      await flush(() => stream.push({ eventId: '', text: JSON.stringify(result) }), cut);
    } catch {
      // The subscriber is gone, or was disconnected.
    }
    stream.end();
  }

  /** Retries temporary failures. Any other ends the stream, described as an internal error. */
  private fail(error: unknown): void {
    const { services, stream, requestId } = this.options;
    if (stream.isOver) return;
    const described = describeError(error);
    if (!isTransient(described)) {
      if (isOurFault(described))
        services.log.error({ err: error, request_id: requestId }, 'a subscription failed');
      void this.finish(described);
      return;
    }
    const askedMs = (described.facts.retryAfterSeconds ?? 0) * 1000;
    const waitMs = askedMs || backOff(this.retries, FIRST_RETRY_MS, MAX_RETRY_MS);
    this.retries += 1;
    this.timer = setTimeout(() => {
      this.timer = undefined;
      this.work();
    }, waitMs);
  }
}

function digestOf(text: string): string {
  return hash('sha256', text, 'base64url').slice(0, 16);
}

/** The error that makes the root field null; undefined when there is data. */
function refusalOf({ data, errors }: ExecutionResult, responseName: string): ServiceError | undefined {
  const root = data?.[responseName] ?? null;
  const refused = errors?.find(({ path }) => path === undefined || path.length === 1);
  return root === null && refused !== undefined ? describeError(refused satisfies GraphQLError) : undefined;
}

function isTransient({ code }: ServiceError): boolean {
  return code === 'rate_limited' || code === 'unavailable';
}
