import type { Request, Response } from 'express';
import type { AccountServices } from '../../accounts/AccountServices.js';
import type { ConnectVisit } from './ConnectVisit.js';

export type SessionRequest = Request<{ sessionId: string }>;

/** One answer of the hosted page to someone at the door of a session that exists. */
export type ConnectStep = (
  services: AccountServices,
  request: SessionRequest,
  response: Response,
  visit: ConnectVisit,
) => Promise<void> | void;
