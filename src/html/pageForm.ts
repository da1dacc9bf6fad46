import type { Request, RequestHandler } from 'express';
import express from 'express';
import { unstorable } from '../domain/jsonValue.js';
import { ServiceError } from '../errors.js';

/**
 * Reads a page's form. NUL, which PostgreSQL cannot store, is refused in the form and in the URL, like an
 * unreadable form.
 */
export function pageForm(limit: string): RequestHandler[] {
  return [
    refuseUnstorableAddress,
    express.urlencoded({ extended: false, limit, parameterLimit: 100 }),
    refuseUnstorableFields,
  ];
}

const refuseUnstorableAddress: RequestHandler = (request, _response, next) => {
  if (isUnstorableAddress(request)) throw unreadable();
  next();
};

/** Whether the URL holds NUL: it leads nowhere. */
export function isUnstorableAddress({ originalUrl }: Request): boolean {
  return originalUrl.includes('%00');
}

const refuseUnstorableFields: RequestHandler = (request, _response, next) => {
  if (unstorable(request.body) !== undefined) throw unreadable();
  next();
};

function unreadable(): ServiceError {
  return new ServiceError('invalid_request', 'The form holds text that cannot be kept.');
}
