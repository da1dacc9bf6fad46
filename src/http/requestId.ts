import type { NextFunction, Request, Response } from 'express';
import { requestIdFrom } from '../domain/requestId.js';

/** Gives every request its correlation id, before anything else can answer. */
export function requestId(request: Request, response: Response, next: NextFunction): void {
  response.setHeader('X-Request-Id', requestIdFrom(request.get('x-request-id')));
  next();
}
