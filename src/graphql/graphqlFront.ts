import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Request } from 'express';
import type { Caller } from '../access/Caller.js';
import { describeError } from '../access/describeError.js';
import { identifyAgain } from '../access/identifyAgain.js';
import { identifyCaller } from '../access/identifyCaller.js';
import type { BearerVerifier } from '../access/identifyCaller.js';
import { ServiceError } from '../errors.js';
import type { KnownOperations } from '../execution/KnownOperations.js';
import { credentialsOf } from '../http/credentialsOf.js';
import type { DirectHandler } from '../http/frontDoor.js';
import { labelRoute } from '../http/metrics.js';
import type { Services } from '../Services.js';
import { answerKnown } from './answerKnown.js';
import type { AnswerOperation } from './answerKnown.js';
import { refuseFailure } from './refuse.js';

/** Longest body that is read here, in bytes; what is longer goes to express unread. */
const MOST_BYTES = 64 * 1024;

const PLAIN_JSON = new Set(['application/json', 'application/json; charset=utf-8', 'application/json;charset=UTF-8']);

/**
 * `/graphql` before express: operations that are known are answered here, everything else passes on to Apollo Server, with the
 * body as it was read.
 */
export function graphqlFront(services: Services, verifier: BearerVerifier, operations: KnownOperations): DirectHandler {
  const answer = answerKnown(services, operations);
  return (request, response, pass) => {
    if (request.url !== '/graphql' || !isPlain(request)) return false;
    void answerFrom(request, response, { services, verifier, answer }).then((answered) => {
      if (!answered) pass();
    });
    return true;
  };
}

/** Whether the body is short, uncompressed JSON in UTF-8 that nobody has read yet. */
function isPlain(request: IncomingMessage): boolean {
  const { method, headers } = request;
  const length = Number(headers['content-length']);
  if (method !== 'POST' || !(length > 0 && length <= MOST_BYTES) || 'body' in request) return false;
  return headers['content-encoding'] === undefined && PLAIN_JSON.has(headers['content-type'] ?? '');
}

interface Parts {
  services: Services;
  verifier: BearerVerifier;
  answer: AnswerOperation;
}

/** @returns whether there is nothing left to do */
async function answerFrom(
  request: IncomingMessage,
  response: ServerResponse,
  { services, verifier, answer }: Parts,
): Promise<boolean> {
  try {
    const identify = (): Promise<Caller> => identifyCaller(services.config, verifier, credentialsOf(request));
    const first = await identify();
    if (first.kind === 'anonymous') return false;
    const startedAt = performance.now();
    const text = await readText(request);
    if (text === undefined) return true;
    const caller = await identifyAgain(startedAt, first, identify);
    const body = parseObject(text);
    (request as Request).body = body;
    labelRoute(request, '/graphql');
    return await answer(request, response, caller, body);
  } catch (error) {
    refuseFailure(services, response, describeError(error), error);
    return true;
  }
}

/** Undefined when the client went away before the end. */
function readText(request: IncomingMessage): Promise<string | undefined> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.once('end', () => resolve(Buffer.concat(chunks).toString('utf8')));
    request.once('close', () => resolve(undefined));
    request.once('error', () => resolve(undefined));
  });
}

/** As `express.json`: a byte order mark does not count, and anything but an object or a list is no body. @throws ServiceError `invalid_request` */
function parseObject(text: string): unknown {
  try {
    const body: unknown = JSON.parse(text.startsWith('\ufeff') ? text.slice(1) : text);
    if (typeof body === 'object' && body !== null) return body;
  } catch {
    // The parser's message quotes what was sent.
  }
  throw new ServiceError('invalid_request', 'The body is not valid JSON.');
}
