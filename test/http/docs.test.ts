import { expect } from 'chai';
import { TestService } from '../support/TestService.js';

describe('The front page and the documentation', () => {
  let service: TestService;

  before(async () => {
    service = await TestService.start();
  });

  after(() => service.stop());

  const get = (path: string, accept = '*/*'): Promise<Response> =>
    fetch(`${service.url}${path}`, { headers: { accept }, redirect: 'manual' });

  it('links a program to the documentation, the OpenAPI document and the OAuth metadata', async () => {
    const body = (await (await get('/')).json()) as Record<string, string>;
    expect(body).to.include({ status: 'ready', documentation: `${service.url}/docs/` });
    for (const place of ['openapi', 'oauth_metadata']) {
      const { pathname } = new URL(body[place] ?? '');
      expect((await get(pathname)).status, place).to.equal(200);
    }
  });

  it('shows a browser a page in its language', async () => {
    const response = await fetch(`${service.url}/`, {
      headers: { accept: 'text/html', 'accept-language': 'de' },
    });
    expect(response.headers.get('content-type')).to.match(/^text\/html/);
    expect(await response.text()).to.match(/<html lang="de">[\s\S]*Der Dienst läuft/);
  });

  it('serves pages by clean addresses, with and without compression', async () => {
    for (const path of ['/docs/', '/docs/contract', '/docs/start/rest', '/docs/errors', '/docs/rest.html']) {
      const response = await get(path);
      expect(response.status, path).to.equal(200);
      expect(await response.text(), path).to.match(/^<!doctype html>/i);
    }
    const plain = await fetch(`${service.url}/docs/contract`, { headers: { 'accept-encoding': 'identity' } });
    expect(plain.headers.get('content-encoding')).to.equal(null);
    expect(await plain.text()).to.include('The contract');
  });

  it('redirects to folders and answers 404 with its own page', async () => {
    const moved = await get('/docs');
    expect([moved.status, moved.headers.get('location')]).to.deep.equal([308, '/docs/']);
    const missing = await get('/docs/nothing-here');
    expect(missing.status).to.equal(404);
    expect(missing.headers.get('content-type')).to.match(/^text\/html/);
  });

  it('allows no inline style and only its own scripts', async () => {
    const policy = (await get('/docs/')).headers.get('content-security-policy') ?? '';
    expect(policy).to.include("default-src 'none'").and.not.include('unsafe');
    const page = await (await get('/docs/contract')).text();
    expect(page).not.to.match(/ style="|https?:\/\/(?!localhost|127\.0\.0\.1)[^"]*\.(js|css|woff2?)"/);
  });
});
