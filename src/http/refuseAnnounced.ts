import type { IncomingMessage } from 'node:http';
import { bodyTooLarge } from './bodyTooLarge.js';

/** Refuses a body of more than `limit` bytes by the length announced, before any of it is read. @throws ServiceError `payload_too_large` */
export function refuseAnnounced({ headers }: IncomingMessage, limit: number): void {
  if (Number(headers['content-length'] ?? 0) > limit) throw bodyTooLarge(limit);
}
