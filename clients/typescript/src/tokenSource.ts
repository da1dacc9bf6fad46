export interface Credentials {
  clientId: string;
  clientSecret: string;
  /** Scopes to ask for; without them the app's allowed ones. */
  scope?: string;
}

interface Token {
  access_token: string;
  expires_in: number;
}

/** A new token is taken this many milliseconds before the old one ends. */
const MARGIN_MS = 60_000;

/** Requests share the taking of a token, so none of their signals bounds it. */
const TAKING_MS = 30_000;

export interface TokenSource {
  take: () => Promise<string>;
  /** Forgets the token of a header that was refused, unless another has taken its place. */
  forget: (authorization: string | null) => void;
}

/** Gives an access token of the client, and takes a new one in time; requests at one moment share it. */
export function tokenSource(baseUrl: string, credentials: Credentials, send: typeof fetch): TokenSource {
  let current: Promise<Token> | undefined;
  let held: string | undefined;
  let endsAt = 0;
  return {
    take: async () => {
      if (current === undefined || Date.now() > endsAt - MARGIN_MS) {
        endsAt = Number.POSITIVE_INFINITY;
        held = undefined;
        current = takeToken(baseUrl, credentials, send);
        current.then(
          ({ access_token, expires_in }) => {
            held = access_token;
            endsAt = Date.now() + expires_in * 1000;
          },
          () => (current = undefined),
        );
      }
      return (await current).access_token;
    },
    forget: (authorization) => {
      if (authorization === `Bearer ${held}`) current = undefined;
    },
  };
}

async function takeToken(
  baseUrl: string,
  { clientId, clientSecret, scope }: Credentials,
  send: typeof fetch,
): Promise<Token> {
  const basic = [clientId, clientSecret].map(encodeURIComponent).join(':');
  const response = await send(`${baseUrl.replace(/\/+$/, '')}/oauth/token`, {
    method: 'POST',
    headers: { authorization: `Basic ${Buffer.from(basic).toString('base64')}` },
    body: new URLSearchParams({
      grant_type: 'client_credentials',
      ...(scope === undefined ? {} : { scope }),
    }),
    signal: AbortSignal.timeout(TAKING_MS),
  });
  if (!response.ok) throw new TokenError(response, await response.clone().text());
  return (await response.json()) as Token;
}

/** The refusal of an access token; `response` is the answer of `/oauth/token`. */
export class TokenError extends Error {
  constructor(
    readonly response: Response,
    text: string,
  ) {
    super(`No access token: ${response.status} ${text}`);
    this.name = 'TokenError';
  }
}
