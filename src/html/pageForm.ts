import type { RequestHandler } from 'express';
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
  if (request.originalUrl.includes('%00')) throw unreadable();
  next();
};

const refuseUnstorableFields: RequestHandler = (request, _response, next) => {
  if (unstorable(request.body) !== undefined) throw unreadable();
  next();
};

function unreadable(): ServiceError {
  return new ServiceError('invalid_request', 'The form holds text that cannot be kept.');
}
