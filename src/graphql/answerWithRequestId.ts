import type { NextFunction, Request, Response } from 'express';

interface Answer {
  errors?: { extensions?: Record<string, unknown> }[];
}

/** Names the request in refusals that Apollo makes before it knows the request's context, such as that of a batch. */
export function answerWithRequestId(_request: Request, response: Response, next: NextFunction): void {
  const send = response.send.bind(response);
  response.send = (body: unknown) => send(response.statusCode < 400 ? body : named(body, response));
  next();
}

function named(body: unknown, response: Response): unknown {
  if (typeof body !== 'string' || !body.startsWith('{"errors"')) return body;
  const answer = JSON.parse(body) as Answer;
  if (answer.errors?.every(({ extensions }) => extensions?.['requestId'] !== undefined) === true) return body;
  const requestId = response.getHeader('X-Request-Id');
  const errors = answer.errors?.map((error) => ({ ...error, extensions: { requestId, ...error.extensions } }));
  return JSON.stringify({ ...answer, errors });
}
