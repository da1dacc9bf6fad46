import { randomUUID } from 'node:crypto';

const ACCEPTABLE = /^[A-Za-z0-9._:-]{1,128}$/;

/** The caller's correlation id when it is well formed, else a fresh one (docs/contract.md#headers). */
export function requestIdFrom(sent: string | undefined): string {
  return sent !== undefined && ACCEPTABLE.test(sent) ? sent : `req_${randomUUID()}`;
}
