import type { Request, Response } from 'express';
import { readAccountSession } from '../../oauth/accountSession.js';
import { isOfOpenApp, readAppSession } from '../../oauth/appSession.js';
import { describeError } from '../../access/describeError.js';
import { errorHeaders } from '../../http/errorResponse.js';
import { notesOf } from '../../http/requestNotes.js';
import { fetchAtThisNode } from '../../oauth/firstPartyClient.js';
import type { FirstPartyPage } from '../../oauth/firstPartyPages.js';
import { pageHeaders } from '../../html/pageHeaders.js';
import type { AccountServices } from '../../accounts/AccountServices.js';

/**
 * Forwards a query of the page to `/graphql` with the session's token. Another site cannot make a browser
 * send one: the cookies are SameSite, the body must be JSON (which needs a preflight that is never allowed),
 * and `Sec-Fetch-Site` is checked. A page that shows another app than the session's is answered with 409.
 */
export async function forwardQuery(
  services: AccountServices,
  page: FirstPartyPage,
  request: Request,
  response: Response,
): Promise<void> {
  response.set(pageHeaders());
  const site = request.get('sec-fetch-site');
  if (typeof request.body !== 'string' || (site !== undefined && site !== 'same-origin')) {
    return refuse(response, 403, `${page.title} is not signed in.`);
  }
  const account = await readAccountSession(services, request);
  const session = account && (await readAppSession(services, page, request, account));
  if (session === undefined) return refuse(response, 401, `${page.title} is not signed in.`);
  if (!isOfOpenApp(session, request)) return refuse(response, 409, OTHER_APP);
  const left = new AbortController();
  response.once('close', () => left.abort());
  const answer = await fetchAtThisNode(services, `${services.config.baseUrl}/graphql`, {
    method: 'POST',
    headers: {
      Authorization: `Bearer ${session.accessToken}`,
      'Content-Type': 'application/json',
      Accept: 'application/graphql-response+json, application/json',
      'X-Request-Id': String(response.getHeader('X-Request-Id') ?? ''),
    },
    body: request.body,
    signal: left.signal,
  }).catch((error: unknown) => {
    if (!left.signal.aborted) refuseFailure(response, error);
    return undefined;
  });
  if (answer !== undefined) await handBack(answer, response);
}

async function handBack(answer: globalThis.Response, response: Response): Promise<void> {
  response
    .status(answer.status)
    .set('Content-Type', answer.headers.get('content-type') ?? 'application/json');
  for (const name of ['Retry-After', 'RateLimit', 'RateLimit-Policy', 'X-Request-Cost']) {
    const value = answer.headers.get(name);
    if (value !== null) response.set(name, value);
  }
  response.end(await answer.text());
}

const OTHER_APP = 'Another app is open in this browser by now. Reload the page.';

/** As `/graphql` tells it. */
function refuseFailure(response: Response, error: unknown): void {
  const described = describeError(error);
  const { code, status, message } = described;
  response.set(errorHeaders(described));
  refuse(response, status, message, {
    code: code.toUpperCase(),
    status,
    requestId: notesOf(response).requestId,
  });
}

function refuse(response: Response, status: number, message: string, extensions?: object): void {
  response.status(status).set('Content-Type', 'application/json; charset=utf-8');
  response.end(JSON.stringify({ errors: [{ message, extensions }] }));
}
