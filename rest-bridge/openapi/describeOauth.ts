import { examplesOf } from './examples.js';
import { headerRefs } from './headers.js';
import type { JsonSchema } from './scalarSchema.js';
import type { Tag } from './tags.js';

const FORM = 'application/x-www-form-urlencoded';
const SCOPE_EXAMPLE = 'customers:read profile:read';

const text = (description: string, extra: JsonSchema = {}): JsonSchema => ({
  type: 'string',
  description,
  ...extra,
});
const uri = (description: string): JsonSchema => text(description, { format: 'uri' });
const ref = (name: string): JsonSchema => ({ $ref: `#/components/schemas/${name}` });
const list = (description: string, items: JsonSchema): JsonSchema => ({ type: 'array', description, items });
const record = (description: string, required: string[], properties: JsonSchema): JsonSchema => ({
  type: 'object',
  description,
  required,
  properties,
});

/** Who the client is, where no header says it. */
const CLIENT_FIELDS = {
  client_id: text('The client, where it does not authenticate by HTTP Basic.'),
  client_secret: text('The secret, where the client does not authenticate by HTTP Basic.'),
};

const TOKEN_FIELDS = {
  token: text('The access or refresh token.', { minLength: 1 }),
  token_type_hint: text('Taken and not needed.'),
};

/** Schemas of the authorization server. */
export const oauthSchemas: Readonly<Record<string, JsonSchema>> = {
  TokenRequest: record('Exchanges a grant for tokens (OAuth 2.1, 3.2).', ['grant_type'], {
    grant_type: text('The grant.', { enum: ['authorization_code', 'refresh_token', 'client_credentials'] }),
    code: text('With `authorization_code`: the code. Good once, for 60 seconds.'),
    redirect_uri: uri('With `authorization_code`: the URI that the code was sent to.'),
    code_verifier: text('With `authorization_code`: the PKCE verifier (RFC 7636).', {
      minLength: 43,
      maxLength: 128,
    }),
    refresh_token: text('With `refresh_token`: the token. It is worth no more afterwards.'),
    scope: text('Scopes with spaces between them; without it, all that the grant allows.'),
    ...CLIENT_FIELDS,
  }),
  TokenResponse: record('Tokens (OAuth 2.1, 3.2.3).', ['access_token', 'token_type', 'expires_in'], {
    access_token: text('Sent as `Authorization: Bearer …`.'),
    token_type: text('How the token is sent.', { const: 'Bearer' }),
    expires_in: { type: 'integer', description: 'Seconds that the access token is good for.', minimum: 1 },
    scope: text('What the token may do.'),
    refresh_token: text('With the scope `offline_access`.'),
    id_token: text('With the scope `openid`: who signed in, as a JWT.'),
  }),
  OAuthError: record('An error in the shape of RFC 6749, 5.2.', ['error'], {
    error: text('The code, such as `invalid_client` or `invalid_grant`.'),
    error_description: text('For people; its wording may change.'),
    iss: text('Who issued the error: this service (RFC 9207).'),
    scope: text('With `insufficient_scope`: the scope that is missing (RFC 6750).'),
  }),
  TokenForm: record('Names a token.', ['token'], TOKEN_FIELDS),
  RevocationRequest: record('Names a token to be revoked (RFC 7009, 2.1).', ['token'], {
    ...TOKEN_FIELDS,
    ...CLIENT_FIELDS,
  }),
  Introspection: record(
    'What a token is worth now (RFC 7662). Only `active` stands there where it is false.',
    ['active'],
    {
      active: { type: 'boolean', description: "Whether the token is good now, and one of the client's own." },
      scope: text('What the token may do.'),
      client_id: text('The client to which it was issued.'),
      username: text('The e-mail address of the person who signed in.'),
      token_type: text('How the token is sent.', { const: 'Bearer' }),
      exp: { type: 'integer', description: 'When it ends, in Unix seconds.' },
      iat: { type: 'integer', description: 'When it was issued, in Unix seconds.' },
      sub: text('The account that signed in, or the app.'),
      aud: text('Whom the token is for: this service.'),
      iss: text('Who issued the token: this service.'),
    },
  ),
  JsonWebKeySet: record('Public keys (RFC 7517).', ['keys'], {
    keys: list('Keys that sign ID tokens and receipts.', { type: 'object', additionalProperties: true }),
  }),
  AuthorizationServerMetadata: {
    ...record(
      'What the authorization server offers and where (RFC 8414, OpenID Connect Discovery).',
      ['issuer', 'authorization_endpoint', 'token_endpoint', 'jwks_uri'],
      {
        issuer: uri('The name of the issuer.'),
        authorization_endpoint: uri('Where people are sent to sign in.'),
        token_endpoint: uri('Where clients get tokens.'),
        introspection_endpoint: uri('Where clients examine tokens.'),
        revocation_endpoint: uri('Where clients end tokens.'),
        jwks_uri: uri('Where the public keys are.'),
        scopes_supported: list('Every scope.', { type: 'string' }),
      },
    ),
    additionalProperties: true,
  },
  ProtectedResourceMetadata: record(
    'The API as a protected resource (RFC 9728).',
    ['resource', 'authorization_servers'],
    {
      resource: uri('The API.'),
      authorization_servers: list('Who issues its tokens.', { type: 'string', format: 'uri' }),
      scopes_supported: list('Every scope.', ref('Scope')),
      bearer_methods_supported: list('How tokens are sent.', { type: 'string' }),
    },
  ),
};

/** The client's credentials by HTTP Basic, or in the form. */
const BASIC_OR_FORM = [{ clientBasic: [] }, {}];

interface Described {
  operationId: string;
  tag: Tag;
  summary: string;
  description: string;
  security?: JsonSchema[];
  parameters?: JsonSchema[];
  /** The schema of its form. */
  form?: string;
  responses: JsonSchema;
}

function operation({
  operationId,
  tag,
  summary,
  description,
  security = [],
  parameters,
  form,
  responses,
}: Described): JsonSchema {
  return {
    operationId,
    tags: [tag],
    summary,
    description,
    security,
    ...(parameters && { parameters }),
    ...(form && { requestBody: formOf(operationId, form) }),
    responses,
  };
}

function formOf(operationId: string, form: string): JsonSchema {
  const content = { [FORM]: { schema: ref(form), example: examplesOf(operationId).request } };
  return { required: true, description: 'A form.', content };
}

function answer(description: string, schema: string, example: unknown, ...own: string[]): JsonSchema {
  return {
    description,
    headers: headerRefs('X-Request-Id', ...own),
    content: { 'application/json': { schema: ref(schema), ...(example === undefined ? {} : { example }) } },
  };
}

/** An answer with the example that a test recorded. */
const answered = (operationId: string, description: string, schema: string): JsonSchema =>
  answer(description, schema, examplesOf(operationId).response);

const oauthError = (operationId: string, status: number, description: string, ...own: string[]): JsonSchema =>
  answer(description, 'OAuthError', examplesOf(operationId).refusals?.[status], ...own);

const INVALID = 'The request is not valid.';
const UNKNOWN_CLIENT = 'The client is unknown, or its secret is wrong.';

const query = (
  name: string,
  required: boolean,
  description: string,
  example: string,
  schema: JsonSchema = {},
): JsonSchema => ({
  name,
  in: 'query',
  required,
  description,
  schema: { type: 'string', ...schema },
  example,
});

/** A refusal in the API's error format. @param header a header in addition to the request id */
const apiError = (description: string, code: string, ...own: Parameters<typeof headerRefs>): JsonSchema => ({
  description,
  headers: headerRefs('X-Request-Id', ...own),
  content: {
    'application/json': {
      schema: ref('Error'),
      examples: { [code]: { $ref: `#/components/examples/${code}` } },
    },
  },
});

/** A public document. */
const open = (
  tag: Tag,
  operationId: string,
  summary: string,
  description: string,
  found: JsonSchema,
): JsonSchema => ({
  get: operation({
    operationId,
    tag,
    summary,
    description: `${description} Open to all.`,
    responses: {
      '200': found,
      '405': apiError('The path does not know the method.', 'method_not_allowed', 'Allow'),
    },
  }),
});

/** The operations of the authorization server and of discovery. They are not part of `/v1` and its routes. */
export function oauthPaths(baseUrl: string): Record<string, JsonSchema> {
  const metadata = (operationId: string, what: string): JsonSchema => {
    const found = answered(operationId, 'The document.', 'AuthorizationServerMetadata');
    return open('Discovery', operationId, what, `${what}.`, found);
  };
  return {
    '/oauth/authorize': { get: authorize(baseUrl) },
    '/oauth/token': { post: token() },
    '/oauth/introspect': { post: introspect() },
    '/oauth/revoke': { post: revoke() },
    '/oauth/jwks': open(
      'OAuth',
      'getJwks',
      'Read the public keys',
      'The keys that sign ID tokens and receipts.',
      keys(),
    ),
    '/.well-known/oauth-authorization-server': metadata(
      'getAuthorizationServerMetadata',
      'Discover the authorization server',
    ),
    '/.well-known/openid-configuration': metadata('getOpenidConfiguration', 'Discover the OpenID provider'),
    '/.well-known/oauth-protected-resource': open(
      'Discovery',
      'getProtectedResourceMetadata',
      'Discover who issues tokens for the API',
      'Who issues tokens for the API, how they are sent, and what they can reach.',
      answered('getProtectedResourceMetadata', 'The document.', 'ProtectedResourceMetadata'),
    ),
    '/v1/openapi.json': open(
      'Discovery',
      'getOpenApi',
      'Read this document',
      'The OpenAPI document of the service.',
      {
        description: 'The document.',
        content: { 'application/json': { schema: { type: 'object', additionalProperties: true } } },
      },
    ),
  };
}

function authorize(baseUrl: string): JsonSchema {
  return operation({
    operationId: 'authorize',
    tag: 'OAuth',
    summary: 'Send a person to sign in',
    description:
      'Begins the authorization code flow with PKCE. Opened in the browser of the person, not called by a program. The parameters may be posted as a form too.',
    parameters: [
      query('response_type', true, 'The flow.', 'code', { const: 'code' }),
      query('client_id', true, 'The client.', 'app_01kafem1xve7vbs97sn4r71brf'),
      query('redirect_uri', true, "One of the app's URIs, exactly.", 'https://partner.example/callback', {
        format: 'uri',
      }),
      query('scope', true, 'Scopes with spaces between them.', SCOPE_EXAMPLE),
      query(
        'code_challenge',
        true,
        'The PKCE challenge (RFC 7636).',
        'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
        {
          minLength: 43,
          maxLength: 128,
        },
      ),
      query('code_challenge_method', true, 'How the challenge was made.', 'S256', { const: 'S256' }),
      query('state', false, 'Comes back as it was sent.', 'af0ifjsldkj'),
      query('nonce', false, 'Stands in the ID token.', 'n-0S6_WzA2Mj'),
    ],
    responses: {
      '303': {
        description: `To the pages where the person signs in and agrees, then to the \`redirect_uri\` with \`code\`, \`state\` and \`iss\` (\`${baseUrl}\`), or with \`error\`.`,
        headers: headerRefs('Location', 'X-Request-Id'),
      },
      default: { description: 'Anything else is a page for the person.' },
      '400': unreturnable(),
    },
  });
}

/** Browsers get a page, other clients the error. */
function unreturnable(): JsonSchema {
  const description =
    'The request cannot be sent back to the client, for instance as its URI is not registered.';
  const { content, ...rest } = oauthError('authorize', 400, description);
  const page = { schema: text('A page that tells the person.') };
  return { ...rest, content: { ...(content as JsonSchema), 'text/html': page } };
}

/**
 * The media type of RFC 7517, 8.5, and the plain one, which was documented first and stays for existing
 * readers.
 */
function keys(): JsonSchema {
  const { content, ...rest } = answered('getJwks', 'The keys.', 'JsonWebKeySet');
  const [described] = Object.values(content as JsonSchema);
  return { ...rest, content: { 'application/jwk-set+json': described, 'application/json': described } };
}

function token(): JsonSchema {
  const limited = (described: JsonSchema, ...own: string[]): JsonSchema => ({
    ...described,
    headers: headerRefs('X-Request-Id', 'RateLimit', 'RateLimit-Policy', ...own),
  });
  return operation({
    operationId: 'issueToken',
    tag: 'OAuth',
    summary: 'Get tokens',
    description:
      'Exchanges a code, a refresh token or the credentials of a confidential client for an access token. Public clients send `client_id` in the form.',
    security: BASIC_OR_FORM,
    form: 'TokenRequest',
    responses: {
      '200': limited(answered('issueToken', 'The tokens.', 'TokenResponse')),
      '400': limited(oauthError('issueToken', 400, INVALID)),
      '401': limited(oauthError('issueToken', 401, UNKNOWN_CLIENT), 'WWW-Authenticate'),
      '429': limited(
        oauthError('issueToken', 429, 'Too many requests of this client from this address.'),
        'Retry-After',
      ),
    },
  });
}

function introspect(): JsonSchema {
  const challenge = (description: string, code: string): JsonSchema =>
    apiError(description, code, 'WWW-Authenticate');
  return operation({
    operationId: 'introspectToken',
    tag: 'OAuth',
    summary: 'Ask whether a token is active',
    description: 'Needs the scope `tokens:introspect` among those allowed to the client.',
    security: [{ clientBasic: [] }],
    form: 'TokenForm',
    responses: {
      '200': answered('introspectToken', 'What the token is worth.', 'Introspection'),
      '400': apiError('The form is not valid.', 'invalid_request'),
      '401': challenge('The client is unknown, or its secret is wrong.', 'unauthenticated'),
      '403': challenge('The client may not introspect.', 'insufficient_scope'),
      '413': apiError('The form is larger than 56 KiB.', 'payload_too_large'),
      '415': apiError('The body is no form.', 'unsupported_media_type', 'Accept'),
    },
  });
}

function revoke(): JsonSchema {
  return operation({
    operationId: 'revokeToken',
    tag: 'OAuth',
    summary: 'Revoke a token',
    description:
      'Ends an access token, or a refresh token with all that was issued under its grant (RFC 7009). Needs the scope `tokens:revoke` among those allowed to the client. Public clients send `client_id` in the form.',
    security: BASIC_OR_FORM,
    form: 'RevocationRequest',
    responses: {
      '200': {
        description: 'The token is worth nothing, whether or not it was.',
        headers: headerRefs('X-Request-Id'),
      },
      '400': oauthError('revokeToken', 400, INVALID),
      '401': oauthError('revokeToken', 401, UNKNOWN_CLIENT, 'WWW-Authenticate'),
      '403': oauthError('revokeToken', 403, 'The client may not revoke.', 'WWW-Authenticate'),
    },
  });
}
