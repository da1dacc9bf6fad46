import { expect } from 'chai';
import type { NextFunction, Request, Response as Answer } from 'express';
import express from 'express';
import type { Logger } from 'pino';
import { ServiceError } from '../../src/errors.js';
import { notesOf } from '../../src/http/requestNotes.js';
import type { AccountServices } from '../../src/accounts/AccountServices.js';
import { answerOauthFailures } from '../../src/oauth/answerOauthFailures.js';
import { listen } from '../support/listen.js';

const PASSED_ON = 599;

describe('A failure below /oauth', () => {
  let service: Awaited<ReturnType<typeof listen>>;
  let error: unknown;
  let passedOn: unknown[] = [];
  let logged: unknown[][] = [];

  before(async () => {
    const log = { error: (...line: unknown[]) => logged.push(line) } as unknown as Logger;
    const app = express();
    app.use((request, response, next) => {
      response.set('X-Request-Id', 'req_1');
      notesOf(response).requestId = 'req_1';
      if (request.query['begun'] !== undefined) response.write('begun');
      next(error);
    });
    app.use(answerOauthFailures({ log } as unknown as AccountServices));
    app.use((reason: unknown, _request: Request, response: Answer, _next: NextFunction) => {
      passedOn.push(reason);
      if (!response.headersSent) response.status(PASSED_ON);
      response.end();
    });
    service = await listen(app);
  });
  after(() => service.close());
  beforeEach(() => {
    [passedOn, logged] = [[], []];
  });

  function answerTo(reason: unknown, path: string, headers: Record<string, string> = {}): Promise<Response> {
    error = reason;
    return fetch(service.origin + path, { headers });
  }

  const unreadable = () => Object.assign(new Error('no form'), { status: 413 });
  const gone = () => Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' });

  it('is answered to clients as an OAuth error', async () => {
    const cases: [unknown, number, string, string, string | null][] = [
      [unreadable(), 400, 'invalid_request', 'The form cannot be read.', null],
      [new ServiceError('invalid_request', 'A word.'), 400, 'invalid_request', 'A word.', null],
      [new ServiceError('insufficient_scope', 'A word.'), 403, 'invalid_request', 'A word.', null],
      [gone(), 503, 'temporarily_unavailable', 'The service cannot answer right now.', '1'],
      [new Error('secret'), 500, 'server_error', 'Something went wrong on our side.', null],
      [
        Object.assign(new Error('secret'), { status: 500 }),
        500,
        'server_error',
        'Something went wrong on our side.',
        null,
      ],
      [{ status: 413 }, 500, 'server_error', 'Something went wrong on our side.', null],
    ];
    for (const path of ['/oauth/token', '/oauth/revoke', '/oauth/userinfo', '/oauth/authorize'])
      for (const [reason, status, code, description, retryAfter] of cases) {
        const answer = await answerTo(reason, path);
        expect([answer.status, answer.headers.get('retry-after')], code).to.deep.equal([status, retryAfter]);
        expect(answer.headers.get('cache-control')).to.equal('no-store');
        expect(await answer.json()).to.deep.equal({ error: code, error_description: description });
      }
    expect(passedOn).to.deep.equal([]);
  });

  it('is shown to people on a page in their language', async () => {
    const cases: [unknown, number, string, string | null][] = [
      [unreadable(), 400, 'Bitte versuchen Sie es noch einmal', null],
      [new ServiceError('invalid_request', 'A word.'), 400, 'Bitte versuchen Sie es noch einmal', null],
      [new ServiceError('insufficient_scope', 'A word.'), 403, 'Bei uns ist etwas schiefgegangen', null],
      [new Error('secret'), 500, 'Bei uns ist etwas schiefgegangen', null],
      [gone(), 503, 'Bei uns ist etwas schiefgegangen', '1'],
    ];
    for (const path of ['/oauth/authorize', '/oauth/interaction/x/decide', '/oauth/upstream/callback'])
      for (const [reason, status, title, retryAfter] of cases) {
        const accept = path === '/oauth/authorize' ? 'text/html,*/*;q=0.8' : '*/*';
        const answer = await answerTo(reason, path, { accept, 'accept-language': 'de' });
        expect([answer.status, answer.headers.get('retry-after')]).to.deep.equal([status, retryAfter]);
        expect(answer.headers.get('content-type')).to.match(/^text\/html/);
        const text = await answer.text();
        expect(text)
          .to.include(`<h1>${title}</h1>`)
          .and.match(/<\/h1>\s*<p>\w/);
        expect(text).to.not.include('secret').and.not.include('A word.');
        expect(text.includes('<code>req_1</code>'), 'names the request').to.equal(status !== 400);
      }
  });

  it('is logged with its request id when it is an internal error', async () => {
    const broken = new Error('broken');
    await answerTo(broken, '/oauth/token');
    await answerTo(broken, '/oauth/authorize');
    const line = [{ err: broken, request_id: 'req_1' }, 'An OAuth request failed'];
    expect(logged).to.deep.equal([line, line]);
    await answerTo(unreadable(), '/oauth/token');
    await answerTo(new ServiceError('invalid_request', 'A word.'), '/oauth/token');
    expect(logged).to.have.length(2);
  });

  it('is passed on when it is on another route or the answer has begun', async () => {
    const broken = new Error('broken');
    for (const path of ['/oauth/introspect', '/oauth/jwks', '/oauth/authorizes', '/x/oauth/authorize', '/'])
      expect((await answerTo(broken, path)).status, path).to.equal(PASSED_ON);
    for (const path of ['/oauth/token?begun', '/oauth/authorize?begun'])
      expect(await (await answerTo(broken, path)).text()).to.equal('begun');
    expect(passedOn).to.deep.equal(Array<unknown>(7).fill(broken));
    expect(logged).to.deep.equal([]);
  });
});
