import type { Request, Response } from 'express';
import express from 'express';
import { bearerIn } from '../access/identifyCaller.js';
import { hashSecretToken } from '../domain/secretToken.js';
import type { AccountServices } from '../accounts/AccountServices.js';
import { ServiceError } from '../errors.js';
import { readForm, singleField } from './readForm.js';

interface PersonRow {
  scope: string;
  account_id: string;
  email: string;
  email_verified: boolean;
}

const READ = {
  name: 'oauth_userinfo',
  text: `SELECT t.scope, c.account_id, COALESCE(c.claimed_email, c.email) AS email, c.email_verified
           FROM oauth_artifacts t
           JOIN apps a ON a.app_id = t.app_id AND a.status = 'active'
           JOIN app_members m ON m.app_id = t.app_id AND m.account_id = t.account_id
           JOIN accounts c ON c.account_id = t.account_id
          WHERE t.id_hash = $1 AND t.kind = 'AccessToken' AND t.expires_at > now()`,
};

/**
 * The userinfo endpoint (OpenID Connect Core, 5.3): `sub` for a token with `openid`, and the e-mail address
 * if it also has `email`. A token without a person or without `openid` is refused.
 */
export function userinfoRouter(services: AccountServices): express.Router {
  const router = express.Router();
  const answer = (request: Request, response: Response): Promise<void> =>
    sendUserinfo(services, request, response);
  router.get('/oauth/userinfo', answer);
  router.post('/oauth/userinfo', answer);
  return router;
}

async function sendUserinfo(services: AccountServices, request: Request, response: Response): Promise<void> {
  response.set('Cache-Control', 'no-store');
  const token = await bearerToken(request);
  if (token === undefined) return refuse(response, 401, 'invalid_request', 'Bearer');
  const [person] = await services.database.read<PersonRow>(READ, [hashSecretToken(token)]);
  if (person === undefined) return refuse(response, 401, 'invalid_token', 'Bearer error="invalid_token"');
  const scopes = person.scope.split(' ');
  if (!scopes.includes('openid'))
    return refuse(response, 403, 'insufficient_scope', 'Bearer error="insufficient_scope", scope="openid"');
  response.json({
    sub: person.account_id,
    ...(scopes.includes('email') ? { email: person.email, email_verified: person.email_verified } : {}),
  });
}

/**
 * The token from the header, or from a form (RFC 6750, 2.1 and 2.2).
 *
 * @throws ServiceError `invalid_request` for both (RFC 6750, 2)
 */
async function bearerToken(request: Request): Promise<string | undefined> {
  const header = bearerIn(request.headers.authorization ?? '');
  const form = request.method === 'POST' ? await readForm(request) : undefined;
  if (header !== undefined && form?.fields.has('access_token'))
    throw new ServiceError('invalid_request', 'A token is sent in one way only.');
  return header ?? (form && singleField(form, 'access_token'));
}

/** Errors of RFC 6750, 3.1, described by the challenge. */
function refuse(response: Response, status: number, error: string, challenge: string): void {
  response.status(status).set('WWW-Authenticate', challenge).json({ error });
}
