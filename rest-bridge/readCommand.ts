import type { IncomingMessage } from 'node:http';
import { nameOf } from '../src/access/Caller.js';
import type { Caller } from '../src/access/Caller.js';
import { authorize } from '../src/access/FieldAccess.js';
import { identifyAgain } from '../src/access/identifyAgain.js';
import type { RequestContext } from '../src/access/RequestContext.js';
import { readIdempotencyKey } from '../src/domain/idempotency.js';
import { useBody } from '../src/http/readBody.js';
import { checkMediaType, readJson, valuesIn } from '../src/http/readJson.js';
import type { ExecutableRoute } from './executableRoute.js';

const DEFAULT_BODY_LIMIT = 1024 * 1024;

export type Identify = () => Promise<Caller>;

/** What a mutation has beside path and query: its key, and its body as sent if the route has one. */
export interface SentCommand {
  key: string;
  body: unknown;
}

/**
 * Reads key and body. If the client sent the body slowly, it is identified again.
 *
 * @throws ServiceError for every refusal
 */
export async function readCommand(
  compiled: ExecutableRoute,
  request: IncomingMessage,
  context: RequestContext,
  identify: Identify,
): Promise<SentCommand> {
  const key = readIdempotencyKey(keyOf(request));
  const startedAt = performance.now();
  const body = await readSent(compiled, request, context);
  const caller = await identifyAgain(startedAt, context.caller, identify);
  if (caller !== context.caller) authorize(compiled.access, caller);
  context.caller = caller;
  return { key, body };
}

/** Node joins repeated headers with a comma, which would be a valid key. A line break makes it invalid. */
function keyOf({ headers, headersDistinct }: IncomingMessage): string | undefined {
  const key = headers['idempotency-key'] as string | undefined;
  return key?.includes(',') ? headersDistinct['idempotency-key']?.join('\n') : key;
}

/** The body as sent; undefined when the route has none. None may be sent as an empty object. */
async function readSent(
  { inputType, operationClass, route }: ExecutableRoute,
  request: IncomingMessage,
  { services, caller, charge }: RequestContext,
): Promise<unknown> {
  const mayBeEmpty = inputType === undefined || route.optionalBody === true;
  const empty = inputType === undefined ? undefined : {};
  const contentType = request.headers['content-type'];
  const hasLength = Number(request.headers['content-length'] ?? 0) > 0;
  const isChunked = request.headers['transfer-encoding'] !== undefined;
  if (mayBeEmpty && !hasLength && !isChunked) return empty;
  if (contentType !== undefined || hasLength) checkMediaType(request, route.accepts);
  const limit = route.bodyLimit ?? DEFAULT_BODY_LIMIT;
  const held = services.heldBodies.begin(nameOf(caller));
  return useBody(request, held, { limit }, async (bytes) => {
    if (bytes.length === 0 && mayBeEmpty) return empty;
    // For chunks without a content type, only now it is known whether there is a body.
    if (bytes.length > 0 && contentType === undefined) checkMediaType(request, route.accepts);
    const values = valuesIn(bytes);
    await charge.takeBody(operationClass, values);
    return readJson(bytes, services.parseTurns, caller, values);
  });
}
