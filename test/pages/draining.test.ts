import { once } from 'node:events';
import type { Socket } from 'node:net';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { describeInBrowser } from './support/describeInBrowser.js';
import { openDashboard } from './support/openDashboard.js';
import { PagesHarness } from './support/PagesHarness.js';
import { Visitor } from './support/Visitor.js';

describeInBrowser('a page of a node that stops', () => {
  let harness: PagesHarness;
  let visitor: Visitor;

  before(async () => {
    harness = await PagesHarness.open();
    visitor = await Visitor.arrive();
  });

  after(async () => {
    await visitor?.leave();
    await harness?.close();
  });

  /** A request of which the last bytes have not arrived: the rest of them, to be sent later. */
  async function begin(page: Page, head: string, body = ''): Promise<{ socket: Socket; rest: string }> {
    const { host, hostname, port } = new URL(harness.baseUrl);
    const cookies = await page.context().cookies(`${harness.baseUrl}/dashboard`);
    const cookie = cookies.map(({ name, value }) => `${name}=${value}`).join('; ');
    const socket = connect(Number(port), hostname);
    const length = body === '' ? '' : `Content-Type: application/json\r\nContent-Length: ${body.length}\r\n`;
    socket.write(`${head} HTTP/1.1\r\nHost: ${host}\r\nCookie: ${cookie}\r\n${length}`);
    await once(socket, 'connect');
    return { socket, rest: `\r\n${body}` };
  }

  async function finish({ socket, rest }: { socket: Socket; rest: string }): Promise<string> {
    socket.write(rest);
    return text(socket);
  }

  async function refusesConnections(): Promise<boolean> {
    const { hostname, port } = new URL(harness.baseUrl);
    const socket = connect(Number(port), hostname);
    try {
      await once(socket, 'connect');
      return false;
    } catch {
      return true;
    } finally {
      socket.destroy();
    }
  }

  /** The address to which the service sends the page's script when it renews the token. */
  async function renewalOf(page: Page): Promise<string> {
    let address = `${harness.baseUrl}/dashboard/renew?app_id=${harness.partner.appId}`;
    while (!address.includes('/dashboard/callback')) {
      const answer = await page.context().request.get(address, { maxRedirects: 0 });
      address = new URL(String(answer.headers()['location']), address).href;
    }
    return address.replace(harness.baseUrl, '');
  }

  it('gets 503 as JSON for a query under way, and stays signed in when a renewal is', async () => {
    const page = await visitor.newPerson();
    await openDashboard(harness, page, await harness.newMember(['customers:read']));
    const renewal = await begin(page, `GET ${await renewalOf(page)}`);
    const query = await begin(
      page,
      `POST /dashboard/query?app_id=${harness.partner.appId}`,
      '{"query":"{ __typename }"}',
    );
    await page.close();
    const stopped = harness.stop();
    while (!(await refusesConnections()));
    const [head = '', body = ''] = (await finish(query)).split('\r\n\r\n');
    expect(head).to.match(/^HTTP\/1.1 503 /);
    expect(head).to.match(/^Retry-After: 1\r$/m);
    expect(head).to.match(/^Content-Type: application\/json; charset=utf-8\r$/m);
    const { errors } = JSON.parse(body) as { errors: { extensions: object }[] };
    expect(errors[0]?.extensions).to.include({ code: 'UNAVAILABLE', status: 503 });
    expect(await finish(renewal)).to.match(/^HTTP\/1.1 503 /);
    await stopped;
    const { rows } = await harness.sql('SELECT count(*)::int AS sessions FROM graphiql_sessions');
    expect(rows).to.deep.equal([{ sessions: 1 }]);
  });
});
