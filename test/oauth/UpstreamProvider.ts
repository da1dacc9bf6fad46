import { once } from 'node:events';
import { createServer } from 'node:http';
import type { Server } from 'node:http';
import { exportJWK, generateKeyPair } from 'jose';
import { Provider } from 'oidc-provider';
import { freePort } from '../support/freePort.js';
import { Browser } from './Browser.js';

export interface Person {
  sub: string;
  email?: string;
  email_verified?: boolean;
}

/** The settings of a service that people sign in to by way of that provider. */
export function upstreamSettings(issuer: string): Record<string, string> {
  return {
    UPSTREAM_ISSUER: issuer,
    UPSTREAM_CLIENT_ID: 'consent',
    UPSTREAM_CLIENT_SECRET: 'upstream-secret',
    UPSTREAM_LABEL: 'Harbour Login',
  };
}

/**
 * A second OpenID provider, at which whoever is `person` signs in by coming there. A browser that was there
 * before is signed in already.
 */
export class UpstreamProvider {
  readonly issuer: string;
  readonly requests: URL[] = [];
  person: Person = { sub: 'nobody' };
  /** Ends every connection without an answer. */
  isAway = false;
  /** How long ago, in seconds, those who come signed in. */
  signInAge = 0;
  /** Signs nobody in again, whatever the request says, and does not tell when they signed in. */
  isCareless = false;
  /** Another site by way of which those who come are sent; it sends them on to what `to` says. */
  detour: string | undefined;
  private readonly server: Server;

  private constructor(issuer: string, server: Server) {
    this.issuer = issuer;
    this.server = server;
  }

  static async start(redirectUri: string): Promise<UpstreamProvider> {
    const port = await freePort();
    const issuer = `http://127.0.0.1:${port}`;
    const { privateKey } = await generateKeyPair('ES256', { extractable: true });
    const provider = new Provider(issuer, {
      clients: [{ client_id: 'consent', client_secret: 'upstream-secret', redirect_uris: [redirectUri] }],
      clientDefaults: { id_token_signed_response_alg: 'ES256' },
      jwks: { keys: [{ ...(await exportJWK(privateKey)), alg: 'ES256', kid: 'up', use: 'sig' }] },
      claims: { openid: ['sub'], email: ['email', 'email_verified'] },
      cookies: { keys: ['upstream'] },
      pkce: { required: () => true },
      features: { devInteractions: { enabled: false } },
      findAccount: (_ctx, id) => ({ accountId: id, claims: () => ({ ...upstream.person, sub: id }) }),
      interactions: { url: (_ctx, { uid }) => `/interaction/${uid}` },
    });
    const handle = provider.callback();
    const server = createServer(async (request, response) => {
      if (upstream.isAway) return void request.socket.destroy();
      const url = new URL(request.url ?? '/', issuer);
      upstream.requests.push(url);
      const isAskedDirectly = url.pathname === '/auth' && !url.searchParams.has('detoured');
      if (upstream.detour !== undefined && isAskedDirectly) {
        url.searchParams.set('detoured', '');
        return void response.writeHead(302, { Location: byWayOf(upstream.detour, url) }).end();
      }
      if (upstream.isCareless) request.url = withoutParameters(url, ['prompt', 'max_age']);
      if (!url.pathname.startsWith('/interaction/')) return handle(request, response);
      const grant = new provider.Grant({ accountId: upstream.person.sub, clientId: 'consent' });
      grant.addOIDCScope('openid email');
      const login = {
        accountId: upstream.person.sub,
        ts: Math.floor(Date.now() / 1000) - upstream.signInAge,
      };
      const result = { login, consent: { grantId: await grant.save() } };
      return provider.interactionFinished(request, response, result);
    });
    const upstream = new UpstreamProvider(issuer, server);
    server.listen(port, '127.0.0.1');
    await once(server, 'listening');
    return upstream;
  }

  /** How often somebody had to sign in. */
  get signIns(): number {
    return this.requests.filter(({ pathname }) => pathname.startsWith('/interaction/')).length;
  }

  /** Lets the browser's person sign in; the way back to the service. */
  async visit(address: URL, browser = new Browser(this.issuer)): Promise<URL> {
    const { away } = await browser.open(address.href);
    if (away === undefined) throw new Error('The upstream provider did not send the browser back.');
    return away;
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }
}

function byWayOf(site: string, { href }: URL): string {
  return `${site}/?${new URLSearchParams({ to: href }).toString()}`;
}

function withoutParameters(url: URL, names: string[]): string {
  const parameters = [...url.searchParams].filter(([name]) => !names.includes(name));
  return `${url.pathname}?${new URLSearchParams(parameters).toString()}`;
}
