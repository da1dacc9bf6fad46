// Signs a person in: authorization code with PKCE, then reads with that person's token.
import { createServer } from 'node:http';
import * as client from 'openid-client';

const { API = 'http://localhost:4000', CLIENT_ID = '', CLIENT_SECRET = '', PORT = '8080' } = process.env;
const redirectUri = `http://localhost:${PORT}/callback`;
const scope = 'apps:read customers:read';

const isLocal = new URL(API).protocol === 'http:';
const provider = await client.discovery(new URL(API), CLIENT_ID, CLIENT_SECRET, undefined, {
  algorithm: 'oauth2',
  ...(isLocal ? { execute: [client.allowInsecureRequests] } : {}),
});

/** What belongs to one attempt to sign in. In production: in a session of the browser that began it. */
const attempts = new Map();

const server = createServer(async (request, response) => {
  const url = new URL(request.url ?? '/', redirectUri);
  try {
    if (url.pathname === '/login') return await begin(response);
    if (url.pathname === '/callback') return await finish(url, response);
    response.writeHead(200, { 'Content-Type': 'text/html' }).end('<a href="/login">Sign in</a>');
  } catch (error) {
    response.writeHead(400, { 'Content-Type': 'text/plain' }).end(`Signing in failed: ${error.message}`);
  }
});
server.listen(Number(PORT), () => console.log(`open http://localhost:${PORT}/login`));

async function begin(response) {
  const verifier = client.randomPKCECodeVerifier();
  const state = client.randomState();
  attempts.set(state, verifier);
  const address = client.buildAuthorizationUrl(provider, {
    redirect_uri: redirectUri,
    scope,
    state,
    code_challenge: await client.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
  });
  response.writeHead(302, { Location: address.href }).end();
}

async function finish(url, response) {
  const state = url.searchParams.get('state') ?? '';
  const verifier = attempts.get(state);
  attempts.delete(state);
  if (verifier === undefined) throw new Error('This attempt is unknown; begin again.');
  const tokens = await client.authorizationCodeGrant(provider, url, {
    pkceCodeVerifier: verifier,
    expectedState: state,
  });
  const app = await fetch(`${API}/v1/apps/${CLIENT_ID}`, {
    headers: { Authorization: `Bearer ${tokens.access_token}` },
  }).then((answer) => answer.json());
  response
    .writeHead(200, { 'Content-Type': 'text/plain' })
    .end(`Signed in for ${app.name} with the scopes ${tokens.scope}.\n`);
}
