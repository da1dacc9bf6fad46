import type { Request, Response } from 'express';
import { readAccountSession } from '../../oauth/accountSession.js';
import { atThisNode } from '../../oauth/graphiqlClient.js';
import { readGraphiqlSession } from '../../oauth/graphiqlSession.js';
import { pageHeaders } from '../pages/pageHeaders.js';
import type { PageServices } from '../PageServices.js';

/**
 * Hands a query of the page on to `/graphql` with the session's token. Another site cannot make a browser send it: the
 * cookies are SameSite, the body must be JSON (which needs a preflight that nobody answers), and `Sec-Fetch-Site` is asked.
 */
export async function forwardQuery(services: PageServices, request: Request, response: Response): Promise<void> {
  response.set(pageHeaders());
  const site = request.get('sec-fetch-site');
  if (typeof request.body !== 'string' || (site !== undefined && site !== 'same-origin')) return refuse(response, 403);
  const account = await readAccountSession(services, request);
  const session = account && (await readGraphiqlSession(services, request, account));
  if (session === undefined) return refuse(response, 401);
  const answer = await fetch(atThisNode(services.config, `${services.config.baseUrl}/graphql`), {
    method: 'POST',
    headers: {
      Authorization: `Bearer ${session.accessToken}`,
      'Content-Type': 'application/json',
      Accept: 'application/graphql-response+json, application/json',
      'X-Request-Id': String(response.getHeader('X-Request-Id') ?? ''),
    },
    body: request.body,
  });
  const type = answer.headers.get('content-type') ?? 'application/json';
  response.status(answer.status).set('Content-Type', type);
  response.end(await answer.text());
}

function refuse(response: Response, status: number): void {
  response.status(status).set('Content-Type', 'application/json; charset=utf-8');
  response.end(JSON.stringify({ errors: [{ message: 'GraphiQL is not signed in.' }] }));
}
