import type { Request, Response } from 'express';
import { hashSecretToken, newSecretToken } from '../domain/secretToken.js';
import { clearCookie, readCookie, setCookie } from '../http/pages/cookies.js';
import type { AccountSession } from './accountSession.js';
import { LIFETIMES } from './lifetimes.js';
import type { OauthServices } from './OauthServices.js';

const COOKIE = 'graphiql_session';
const PATH = '/graphiql';

/** GraphiQL open for one app. The token never leaves the service. */
export interface GraphiqlSession {
  appId: string;
  accessToken: string;
  scopes: string[];
}

interface SessionRow extends Record<string, unknown> {
  app_id: string;
  sealed: string;
}

const START = {
  name: 'graphiql_session_start',
  text: `INSERT INTO graphiql_sessions (token_hash, account_id, app_id, sealed, expires_at) VALUES ($1, $2, $3, $4, $5)`,
};

const READ = {
  name: 'graphiql_session_read',
  text: `SELECT app_id, sealed FROM graphiql_sessions WHERE token_hash = $1 AND account_id = $2 AND expires_at > $3`,
};

const END = { name: 'graphiql_session_end', text: `DELETE FROM graphiql_sessions WHERE token_hash = $1` };

/** Keeps a fresh token under a fresh secret; what the browser had before ends. */
export async function startGraphiqlSession(
  services: OauthServices,
  request: Request,
  response: Response,
  account: AccountSession,
  session: GraphiqlSession,
): Promise<void> {
  const secret = newSecretToken();
  const sealed = services.secrets.seal(JSON.stringify(session));
  const expiresAt = new Date(services.clock().getTime() + LIFETIMES.session * 1000);
  await forget(services, request);
  const values = [hashSecretToken(secret), account.accountId, session.appId, sealed, expiresAt];
  await services.database.read(START, values);
  setCookie(services.config.baseUrl, response, COOKIE, secret, { path: PATH, maxAgeSeconds: LIFETIMES.session });
}

/** The session of this browser, while the same person is signed in. */
export async function readGraphiqlSession(
  services: OauthServices,
  request: Request,
  account: AccountSession,
): Promise<GraphiqlSession | undefined> {
  const secret = readCookie(request, COOKIE);
  if (secret === undefined || secret === '') return undefined;
  const values = [hashSecretToken(secret), account.accountId, services.clock()];
  const [row] = await services.database.read<SessionRow>(READ, values);
  return row === undefined ? undefined : (JSON.parse(services.secrets.open(row.sealed)) as GraphiqlSession);
}

export async function endGraphiqlSession(services: OauthServices, request: Request, response: Response): Promise<void> {
  await forget(services, request);
  clearCookie(services.config.baseUrl, response, COOKIE, PATH);
}

async function forget(services: OauthServices, request: Request): Promise<void> {
  const secret = readCookie(request, COOKIE);
  if (secret !== undefined && secret !== '') await services.database.read(END, [hashSecretToken(secret)]);
}
