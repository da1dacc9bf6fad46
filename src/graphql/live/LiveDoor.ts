import { getArgumentValues, getVariableValues, Kind } from 'graphql';
import type { FieldNode, FragmentDefinitionNode, SelectionSetNode, VariableDefinitionNode } from 'graphql';
import { accessOf } from '../../access/FieldAccess.js';
import { Database } from '../../database/Database.js';
import { oversize, unfitText } from '../../domain/jsonValue.js';
import { ServiceError } from '../../errors.js';
import type { LiveChanges } from '../../live/LiveChanges.js';
import type { Topic, TopicOfField } from '../../live/topic.js';
import type { RequestServices } from '../../Services.js';
import type { Documents } from '../Documents.js';
import { InvalidOperation } from '../InvalidOperation.js';
import type { Operation } from '../Operation.js';
import type { OperationRequest } from '../readOperation.js';
import { EventStreams } from './EventStreams.js';
import { GateHold } from './GateHold.js';
import { LiveStream } from './LiveStream.js';
import { LiveSubscription } from './LiveSubscription.js';
import type { LiveOperation, Subscriber } from './LiveSubscription.js';

/** Maximum subscriptions of one app in one process. */
const MAX_PER_APP = 10_000;

/**
 * Maximum events sent concurrently under a lock, and connections for their reads besides those of the locks.
 */
const LANES = 3;
const READERS = 3;

export interface LiveDoorParts {
  services: RequestServices;
  documents: Documents;
  changes: LiveChanges;
}

/**
 * Opens subscriptions for both transports. Their reads have a separate pool: many events take no connection
 * from requests, and a withdrawal that waits for a locked head cannot block the read under that lock.
 */
export class LiveDoor {
  readonly streams = new EventStreams();
  private readonly services: RequestServices;
  private readonly hold: GateHold;

  constructor(private readonly parts: LiveDoorParts) {
    const { services } = parts;
    const { replicas: _replicas, ...own } = services;
    const { config } = services;
    const database = new Database({
      url: services.database.url,
      poolSize: LANES + READERS,
      prepared: config.preparedStatements,
      answerTimeoutMs: config.databaseTimeoutMs,
      statementTimeoutMs: config.statementTimeoutMs,
      onError: (error) => services.log.warn({ err: error }, 'a database connection broke'),
    });
    this.services = { ...own, database };
    this.hold = new GateHold(database, LANES);
  }

  /**
   * Opens a subscription. Of the request's variables only the declared ones are left.
   *
   * @param asked the operation that the request names
   * @throws InvalidOperation when the operation cannot run
   * @throws ServiceError when the caller has no token, or too many subscriptions
   */
  async open(asked: Operation, request: OperationRequest, subscriber: Subscriber): Promise<LiveStream> {
    const { operation, topicOf } = this.plan(asked, request);
    const caller = await subscriber.identify();
    if (caller.kind !== 'app') throw new ServiceError('unauthenticated', 'An access token is required.');
    const { changes } = this.parts;
    if (changes.sizeOf(caller.appId) >= MAX_PER_APP)
      throw new ServiceError('rate_limited', 'The app has too many subscriptions.', {
        retryAfterSeconds: 60,
      });
    const stream = new LiveStream(() => {
      subscription.stop();
      unwatch?.();
    });
    const { services, hold } = this;
    const topic = topicOf(caller.appId);
    const subscription = new LiveSubscription({ services, operation, topic, stream, hold, ...subscriber });
    let unwatch: (() => void) | undefined;
    try {
      const registered = await changes.watch(subscription);
      if (stream.isOver) registered();
      else unwatch = registered;
      await subscription.start();
    } catch (error) {
      stream.end();
      throw error;
    }
    return stream;
  }

  /** Closes the pool of its reads, after the streams ended. */
  close(): Promise<void> {
    return this.services.database.close();
  }

  private plan(
    asked: Operation,
    request: OperationRequest,
  ): { operation: LiveOperation; topicOf: (appId: string) => Topic } {
    const { schema } = this.parts.documents.compiler;
    const { document, definition } = asked;
    const { variableDefinitions = [] } = definition;
    // What is kept while the subscription is open is bounded.
    request.variables = declared(variableDefinitions, request.variables);
    asked.check(request.variables);
    const problem = oversize(request.variables);
    if (problem !== undefined) throw InvalidOperation.because(`The variables of a subscription ${problem}.`);
    const variables = getVariableValues(schema, variableDefinitions, request.variables);
    const field = rootField(definition.selectionSet, document.definitions.filter(isFragment));
    const type = field && schema.getSubscriptionType()?.getFields()[field.name.value];
    const access = type && accessOf(schema, type);
    if (field === undefined || type === undefined || access === undefined)
      throw InvalidOperation.because('The subscription has no field.');
    const { kind, argument } = type.extensions['topic'] as TopicOfField;
    const sent = String(getArgumentValues(type, field, variables.coerced)[argument]);
    // What cannot be stored is no record's id, and is not looked up: the read of the field refuses it.
    const id = unfitText(sent) === undefined ? sent : '';
    const responseName = field.alias?.value ?? field.name.value;
    const operation = {
      schema,
      document,
      operationName: request.operationName,
      variables: request.variables,
      responseName,
      access,
    };
    return { operation, topicOf: (appId) => ({ kind, appId, id }) };
  }
}

/** The variables that the operation declares. */
function declared(
  definitions: readonly VariableDefinitionNode[],
  variables: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  const names = definitions.map(({ variable }) => variable.name.value);
  return Object.fromEntries(
    names.filter((name) => Object.hasOwn(variables, name)).map((name) => [name, variables[name]]),
  );
}

function isFragment(definition: { kind: Kind }): definition is FragmentDefinitionNode {
  return definition.kind === Kind.FRAGMENT_DEFINITION;
}

/** The root field of a subscription, also within fragments. */
function rootField(
  { selections }: SelectionSetNode,
  fragments: readonly FragmentDefinitionNode[],
): FieldNode | undefined {
  for (const selection of selections) {
    if (selection.kind === Kind.FIELD) return selection;
    const inner =
      selection.kind === Kind.INLINE_FRAGMENT
        ? selection.selectionSet
        : fragments.find(({ name }) => name.value === selection.name.value)?.selectionSet;
    const found = inner && rootField(inner, fragments);
    if (found !== undefined) return found;
  }
  return undefined;
}
