import type { IncomingMessage, ServerResponse } from 'node:http';
import { execute, OperationTypeNode } from 'graphql';
import { createContext } from '../../access/createContext.js';
import type { Caller } from '../../access/Caller.js';
import type { Charge } from '../../access/Charge.js';
import { identifyCaller, credentialsOf } from '../../access/identifyCaller.js';
import type { BearerVerifier } from '../../access/identifyCaller.js';
import { notesOf } from '../../http/requestNotes.js';
import type { RequestServices } from '../../Services.js';
import type { Documents } from '../Documents.js';
import { InvalidOperation } from '../InvalidOperation.js';
import type { OperationRequest } from '../readOperation.js';
import { requireMethod } from '../requireMethod.js';
import { logFaults, requestOf, shownErrors } from '../shownErrors.js';
import { identifyListener } from './identifyListener.js';
import type { LiveDoor } from './LiveDoor.js';
import { variableErrors } from '../variableErrors.js';

export interface EventsCall {
  services: RequestServices;
  documents: Documents;
  live: LiveDoor;
  verifier: BearerVerifier;
}

/**
 * Answers an operation with an event stream (GraphQL over SSE, distinct connections mode): a subscription
 * with its events, other operations with their one result. Operations that cannot run are refused before the
 * stream begins.
 */
export async function answerEvents(
  call: EventsCall,
  operation: OperationRequest,
  charge: Charge,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const notes = notesOf(response);
  notes.isStream = true;
  const asked = call.documents.find(operation.source).requireOperation(operation.operationName);
  notes.operation = asked.rootFields;
  if (asked.kind === OperationTypeNode.MUTATION) requireMethod(request, ['POST']);
  if (asked.kind !== OperationTypeNode.SUBSCRIPTION)
    return answerOnce(call, operation, charge, request, response);
  const header = request.headers['last-event-id'];
  const stream = await call.live.open(operation, {
    identify: () => callerOf(call, request),
    requestId: notesOf(response).requestId,
    lastEventId: operation.lastEventId ?? (typeof header === 'string' && header !== '' ? header : undefined),
    cut: () => response.destroy(),
  });
  await call.live.streams.send(response, stream);
}

function callerOf({ services, verifier }: EventsCall, request: IncomingMessage): Promise<Caller> {
  return identifyListener(request, () => identifyCaller(services.config, verifier, credentialsOf(request)));
}

async function answerOnce(
  call: EventsCall,
  { source, operationName, variables }: OperationRequest,
  charge: Charge,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { services, documents, live } = call;
  const document = documents.find(source);
  const operation = document.requireOperation(operationName);
  if (operation.kind === OperationTypeNode.QUERY) await charge.spend('read', 1);
  const { resources, introspected } = operation.weigh(variables);
  const { schema } = documents.compiler;
  const problems = variableErrors(schema, operation.definition.variableDefinitions ?? [], variables);
  if (problems !== undefined) throw new InvalidOperation(problems);
  const contextValue = createContext(
    services,
    await callerOf(call, request),
    notesOf(response).requestId,
    undefined,
    charge,
  );
  const { operationClass } = operation;
  const { data, errors } = await charge.run({ turns: services.turns, operationClass, resources }, () => {
    charge.resources += introspected;
    return execute({
      schema,
      document: document.document,
      operationName: operationName ?? null,
      variableValues: variables,
      contextValue,
    });
  });
  logFaults(errors ?? [], contextValue);
  const shown = errors === undefined ? {} : { errors: shownErrors(errors, requestOf(contextValue)) };
  live.streams.sendOnce(response, { ...shown, data: data ?? null });
}
