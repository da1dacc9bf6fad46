import { expect } from 'chai';
import type { NextFunction, Request, Response as Answer } from 'express';
import express from 'express';
import { errorResponse } from '../../src/http/errorResponse.js';
import { ServiceError } from '../../src/errors.js';
import { refuseOtherMethods } from '../../src/oauth/refuseOtherMethods.js';
import { refuseUnstorableRequest } from '../../src/oauth/refuseUnstorableRequest.js';
import { sendErrorBody } from '../../src/oauth/sendErrorBody.js';
import { listen } from '../support/listen.js';

describe('A refusal of /oauth before any endpoint', () => {
  let service: Awaited<ReturnType<typeof listen>>;

  before(async () => {
    const app = express();
    app.use('/oauth', refuseUnstorableRequest);
    app.get('/sent/:code', ({ params, query }, response) => {
      const { scopes } = query;
      const facts = typeof scopes === 'string' ? { missingScopes: scopes.split(',') } : {};
      sendErrorBody(response, new ServiceError(params.code as 'not_found', 'A word.', facts));
    });
    refuseOtherMethods(app);
    app.use((error: unknown, _request: Request, response: Answer, next: NextFunction) => {
      if (!(error instanceof ServiceError)) return next(error);
      const { status, headers, body } = errorResponse(error, response);
      response.status(status).set(headers).end(body);
    });
    service = await listen(app);
  });
  after(() => service.close());

  function send(path: string, method = 'PUT', headers: Record<string, string> = {}): Promise<Response> {
    return fetch(service.origin + path, { method, headers });
  }

  const endpoints: [string, string, 'oauth' | 'house'][] = [
    ['/oauth/authorize', 'GET, POST', 'oauth'],
    ['/oauth/token', 'POST', 'oauth'],
    ['/oauth/revoke', 'POST', 'oauth'],
    ['/oauth/userinfo', 'GET, POST', 'oauth'],
    ['/oauth/introspect', 'POST', 'house'],
    ['/oauth/jwks', 'GET, HEAD', 'house'],
    ['/.well-known/oauth-authorization-server', 'GET, HEAD', 'house'],
    ['/.well-known/openid-configuration', 'GET, HEAD', 'house'],
    ['/.well-known/oauth-protected-resource', 'GET, HEAD', 'house'],
  ];
  for (const [path, allowed, shape] of endpoints) {
    it(`answers methods other than ${allowed} of ${path} with 405`, async () => {
      const answer = await send(path);
      expect([answer.status, answer.headers.get('allow')]).to.deep.equal([405, allowed]);
      const message = `Only ${allowed} is allowed here.`;
      const body = (await answer.json()) as { error: object };
      if (shape === 'oauth') {
        expect(body).to.deep.equal({ error: 'invalid_request', error_description: message });
        expect(answer.headers.get('cache-control')).to.equal('no-store');
      } else expect(body.error).to.include({ code: 'method_not_allowed', message });
    });
  }

  it('answers NUL in the query or the credentials with 400', async () => {
    const basic = (text: string) => ({ authorization: `Basic ${btoa(text)}` });
    for (const [path, headers] of [
      ['/oauth/none?state=%00', {}],
      ['/oauth/none', basic('%00:x')],
      ['/oauth/none', basic('app:%00')],
    ] as const) {
      const answer = await send(path, 'GET', headers);
      expect(answer.status, path).to.equal(400);
      const { error } = (await answer.json()) as { error: Record<string, string> };
      expect(error['code']).to.equal('invalid_request');
      expect(error['message']).to.match(/^A parameter \w.*\.$/);
    }
    expect((await send('/oauth/none?state=%01', 'GET', basic('app:secret'))).status).to.equal(404);
  });

  it('has the error format of the service, with a challenge for 401 and 403', async () => {
    const challenges: [string, number, string | null][] = [
      ['unauthenticated', 401, 'Basic realm="oauth", charset="UTF-8"'],
      [
        'insufficient_scope',
        403,
        'Basic realm="oauth", charset="UTF-8", error="insufficient_scope", scope=""',
      ],
      [
        'insufficient_scope?scopes=a,b',
        403,
        'Basic realm="oauth", charset="UTF-8", error="insufficient_scope", scope="a b"',
      ],
      ['invalid_request', 400, null],
    ];
    for (const [path, status, challenge] of challenges) {
      const answer = await send(`/sent/${path}`, 'GET');
      expect([answer.status, answer.headers.get('www-authenticate')]).to.deep.equal([status, challenge]);
      expect(answer.headers.get('cache-control')).to.equal('no-store');
      const [code] = path.split('?');
      expect(((await answer.json()) as { error: object }).error).to.include({ code, message: 'A word.' });
    }
  });
});
