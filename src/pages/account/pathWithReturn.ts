import type { Request } from 'express';
import { queryText } from '../../http/formValues.js';
import { returnPath } from '../../http/returnPath.js';

/** A page's path with the page to go on to afterwards. */
export function pathWithReturn(path: string, request: Request): string {
  return `${path}?return_to=${encodeURIComponent(returnPath(queryText(request, 'return_to')))}`;
}
