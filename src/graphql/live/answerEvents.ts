import type { IncomingMessage, ServerResponse } from 'node:http';
import { identifyCaller, credentialsOf } from '../../access/identifyCaller.js';
import type { BearerVerifier } from '../../access/identifyCaller.js';
import { notesOf } from '../../http/requestNotes.js';
import type { RequestServices } from '../../Services.js';
import type { Operation } from '../Operation.js';
import type { OperationRequest } from '../readOperation.js';
import { identifyListener } from './identifyListener.js';
import type { LiveDoor } from './LiveDoor.js';

export interface EventsCall {
  services: RequestServices;
  live: LiveDoor;
  verifier: BearerVerifier;
}

/**
 * Answers a subscription with its events (GraphQL over SSE, distinct connections mode). One that cannot run
 * is refused before the stream begins.
 */
export async function answerEvents(
  { services, live, verifier }: EventsCall,
  operation: Operation,
  asked: OperationRequest,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const header = request.headers['last-event-id'];
  const stream = await live.open(operation, asked, {
    identify: () =>
      identifyListener(request, () => identifyCaller(services.config, verifier, credentialsOf(request))),
    requestId: notesOf(response).requestId,
    lastEventId: asked.lastEventId ?? (typeof header === 'string' && header !== '' ? header : undefined),
    cut: () => response.destroy(),
  });
  await live.streams.send(response, stream);
}
