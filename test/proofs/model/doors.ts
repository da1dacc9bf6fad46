import type { Json, TestPartner } from '../../support/TestPartner.js';

export type Door = 'rest' | 'graphql';
export type Body = Readonly<Record<string, unknown>>;

/** One request as both doors can send it, with names and words as in REST. */
export interface Call {
  operation: Operation;
  /** What the path of a mutation names. */
  id?: string | undefined;
  /** The body of a mutation, the parameters of a read. */
  input: Body;
  key?: string | undefined;
}

/** An answer as the model reads it, whichever door gave it. */
export interface Outcome {
  /** Undefined of a success through GraphQL, which has one status for all. */
  status: number | undefined;
  /** The code of the error; undefined of a success. */
  code: string | undefined;
  body: Json;
}

const CUSTOMER = 'id appId externalId status metadata';
const RECEIPT = 'id appId customerId status purposes { purpose status }';
const CLAIM = 'id customerId attribute value source observedAt consentPurpose confidence';
const EVENT = 'eventId status sequence eventType object occurredAt confidence eventKey';
const FACT = `attribute resolvedValue consentPurpose evidence { ${CLAIM} } alternatives { value }`;
const ITEMS = 'accepted rejected data { index status sequence error { code }';
const GATED = 'customerId: ID!, consentPurpose: ConsentPurpose';
const PAGE = ', first: Int, after: String';

/** Method and path, what GraphQL is asked for, and the parameters of a read. */
const SHAPES = {
  updateApp: ['PATCH /v1/apps/:id', 'allowedConsentPurposes'],
  createCustomer: ['POST /v1/customers', `status customer { ${CUSTOMER} }`],
  deleteCustomer: ['DELETE /v1/customers/:id', 'id'],
  createEntry: ['POST /v1/entries', 'status entry { entryId }'],
  createConsentReceipt: ['POST /v1/consent-receipts', RECEIPT],
  revokeConsentReceipt: ['POST /v1/consent-receipts/:id/revoke', 'status'],
  ingestClaim: ['POST /v1/claims', 'claimId status sequence'],
  ingestEvent: ['POST /v1/events', 'eventId status sequence'],
  ingestClaims: ['POST /v1/claims/batch', `${ITEMS} claimId }`],
  ingestEvents: ['POST /v1/events/batch', `${ITEMS} eventId }`],
  effectiveConsent: [
    'GET /v1/customers/:customer_id/effective-consent',
    'customerId latestReceiptId purposes { purpose status }',
    'customerId: ID!',
  ],
  resolvedProfile: ['GET /v1/profiles/:customer_id', `facts { ${FACT} }`, GATED],
  claims: list('/v1/profiles/:customer_id/claims', CLAIM, GATED),
  intents: list('/v1/profiles/:customer_id/intents', 'category object consentPurpose', GATED),
  customers: list('/v1/customers', CUSTOMER, 'consentPurpose: ConsentPurpose'),
  consentReceipts: list('/v1/consent-receipts', RECEIPT, 'customerId: ID'),
  events: list('/v1/events', EVENT, 'customerId: ID'),
} satisfies Record<string, Shape>;

type Shape = [route: string, select: string, takes?: string];

function list(path: string, select: string, takes: string): Shape {
  return [`GET ${path}`, `nodes { ${select} } pageInfo { hasNextPage endCursor }`, takes + PAGE];
}

export type Operation = keyof typeof SHAPES;

export function isRead(operation: Operation): boolean {
  return SHAPES[operation][0].startsWith('GET');
}

/** Sends a call and gives its outcome; lists are read to their end, in pages of `limit`. */
export async function send(by: TestPartner, door: Door, call: Call): Promise<Outcome> {
  const once = door === 'rest' ? sendRest : sendGraphql;
  const first = await once(by, call);
  for (let page = first; page.body?.pagination?.has_more === true;) {
    page = await once(by, { ...call, input: { ...call.input, cursor: page.body.pagination.next_cursor } });
    if (page.code !== undefined) return page;
    first.body.data.push(...page.body.data);
  }
  return first;
}

async function sendRest(by: TestPartner, { operation, id, input, key = '' }: Call): Promise<Outcome> {
  const [method = '', path = ''] = SHAPES[operation][0].split(' ');
  const place = path.replaceAll(/:(\w+)/g, (_, name) => encodeURIComponent(id ?? String(input[name])));
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(method === 'GET' ? input : {}))
    if (!path.includes(`:${name}`)) query.set(name, String(value));
  const sent = method === 'GET' || method === 'DELETE' ? undefined : input;
  const { status, body } = await by.rest(method, `${place}?${query.toString()}`, sent, {
    'idempotency-key': key,
  });
  return { status, code: status < 300 ? undefined : body.error.code, body };
}

async function sendGraphql(by: TestPartner, { operation, id, input, key }: Call): Promise<Outcome> {
  const [route, select, takes = '']: Shape = SHAPES[operation];
  const type = `${operation.charAt(0).toUpperCase()}${operation.slice(1)}Input!`;
  const isQuery = isRead(operation);
  const ofMutation = `key: String!${id === undefined ? '' : ', id: ID!'}`;
  const declared = isQuery ? takes : ofMutation + (route.startsWith('DELETE') ? '' : `, input: ${type}`);
  const names = [...declared.matchAll(/(\w+):/g)].map(([, name]) => name);
  const passed = names.map((name) => `${name === 'key' ? 'idempotencyKey' : name}: $${name}`);
  const { cursor: after, limit: first, ...words } = toGraphql(input) as Body;
  const answer = await by.graphql(
    `${isQuery ? 'query' : 'mutation'}(${declared.replaceAll(/\w+:/g, '$$$&')}) {
       result: ${operation}(${passed.join(', ')}) { ${select} } }`,
    isQuery ? { ...words, first, after } : { key, id, input: words },
  );
  const [error] = answer.errors;
  if (error !== undefined)
    return { status: error.extensions['status'], code: error.extensions['code'].toLowerCase(), body: error };
  const body = fromGraphql(answer.data.result);
  const { nodes, page_info: page } = body;
  if (nodes === undefined) return { status: undefined, code: undefined, body };
  const pagination = { has_more: page.has_next_page, next_cursor: page.end_cursor };
  return { status: undefined, code: undefined, body: { data: nodes, pagination } };
}

/** Members whose values are words of an enum. */
const WORDS = /^(status|code|category|purposes?|.*_purposes?)$/;

function toGraphql(value: unknown, name = ''): unknown {
  if (Array.isArray(value)) return value.map((item) => toGraphql(item, name));
  if (typeof value === 'string' && WORDS.test(name)) return value.toUpperCase();
  if (typeof value !== 'object' || value === null) return value;
  const camel = (key: string): string => key.replaceAll(/_\w/g, ([, letter = '']) => letter.toUpperCase());
  return Object.fromEntries(Object.entries(value).map(([key, of]) => [camel(key), toGraphql(of, key)]));
}

function fromGraphql(value: Json, name = ''): Json {
  if (Array.isArray(value)) return value.map((item) => fromGraphql(item, name));
  if (typeof value === 'string' && WORDS.test(name)) return value.toLowerCase();
  if (typeof value !== 'object' || value === null) return value;
  const snake = (key: string): string => key.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
  const present = Object.entries(value).filter(([, of]) => of !== null);
  return Object.fromEntries(present.map(([key, of]) => [snake(key), fromGraphql(of, snake(key))]));
}
