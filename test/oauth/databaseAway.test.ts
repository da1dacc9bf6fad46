import { expect } from 'chai';
import type { NextFunction, Request, Response as Answer } from 'express';
import express from 'express';
import { listen } from '../support/listen.js';
import type { TestApp } from './OauthHarness.js';
import { OauthHarness, REDIRECT_URI } from './OauthHarness.js';

describe('The authorization server without its database', () => {
  let harness: OauthHarness;
  let app: TestApp;
  const gone = Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' });

  before(async () => {
    harness = await OauthHarness.open();
    app = await harness.addApp();
    for (const database of [harness.database, harness.database.urgent])
      database.read = () => Promise.reject(gone);
  });
  after(() => harness.close());

  it('answers clients with 503 and an OAuth error', async () => {
    const answers = [
      await harness.post('/oauth/token', { grant_type: 'client_credentials' }, app),
      await harness.post('/oauth/revoke', { token: 'x' }, app),
    ];
    for (const answer of answers) {
      expect(answer.status).to.equal(503);
      expect(await answer.json()).to.have.property('error', 'temporarily_unavailable');
    }
  });

  it('passes an introspection error to the error handler of the service', async () => {
    const reached: unknown[] = [];
    const whole = express().use(harness.node.server.router);
    whole.use((error: unknown, _request: Request, response: Answer, _next: NextFunction) => {
      reached.push(error);
      response.status(599).end();
    });
    const service = await listen(whole);
    const answer = await fetch(`${service.origin}/oauth/introspect`, {
      method: 'POST',
      body: new URLSearchParams({ token: 'x', client_id: app.appId, client_secret: app.secret }),
    });
    await service.close();
    expect(answer.status).to.equal(599);
    expect(reached).to.deep.equal([gone]);
  });

  it('shows people an error page without details', async () => {
    const address = `${harness.baseUrl}/oauth/authorize?client_id=${app.appId}&redirect_uri=${REDIRECT_URI}`;
    const page = await fetch(address, { headers: { accept: 'text/html' } });
    expect(page.status).to.equal(503);
    expect(page.headers.get('content-type')).to.include('text/html');
    const interaction = await fetch(`${harness.baseUrl}/oauth/interaction/x`, {
      headers: { cookie: 'oauth_interaction=x' },
    });
    expect(await interaction.text()).to.not.include('ECONNREFUSED');
  });

  it('verifies no token', async () => {
    const error = await harness.node.server.verifier
      .verify('a'.repeat(43))
      .catch((reason: unknown) => reason);
    expect(error).to.be.instanceOf(Error);
  });
});
