import { isDeepStrictEqual as same } from 'node:util';
import { expect } from 'chai';
import { canonicalJson } from '../../../src/domain/canonicalJson.js';
import type { Json } from '../../support/TestPartner.js';
import type { Body, Call, Operation, Outcome } from './doors.js';

/** What one app can know of the service by docs/contract.md, but for the ids, which answers tell. */
export interface Tenant {
  appId: string;
  /** The most that the app may use, and what it uses. */
  granted: string[];
  allowed: string[];
  customers: Customer[];
  /** Their ids, by the identity. */
  entries: Record<string, string>;
  /** What keys were used for. */
  keys: Record<string, { payload: string; body: Json; customer: string | undefined }>;
}

interface Customer {
  id: string;
  data: Body;
  gates: Record<string, { status: Status; epoch: number }>;
  receipts: Receipt[];
  /** Claims and events in the order of their acceptance. */
  items: Item[];
  /** As many of the items as the workers are surely done with. */
  settled: number;
}

type Status = 'granted' | 'revoked';

interface Receipt {
  id: string;
  purposes: Record<string, { status: Status }>;
}

interface Item {
  id: string;
  kind: 'claim' | 'event';
  purpose: string;
  epoch: number;
  /** The app lost the purpose while this may have waited: then it was dropped. */
  isDoubtful: boolean;
  body: Body;
}

const STATUS = {
  not_found: 404,
  validation_failed: 422,
  consent_denied: 403,
  conflict: 409,
  idempotency_conflict: 409,
};

type Refusal = keyof typeof STATUS;

/** The refusal that is due, or what a success must tell; that changes the state too. */
type Verdict = Refusal | ((body: Json) => void);

/** Takes the state to what it is after the call. @throws Error when the answer is not what is due */
export function follow(tenant: Tenant, call: Call, { status, code, body }: Outcome): void {
  const { key = '', operation, id, input } = call;
  const payload = canonicalJson([operation, id ?? null, input]);
  const kept = tenant.keys[key];
  const verdict = kept === undefined ? RULES[operation](tenant, call) : replay(kept, payload);
  if (typeof verdict === 'string')
    return void expect([status, code]).to.deep.equal([STATUS[verdict], verdict]);
  expect(code).to.equal(undefined);
  verdict(body);
  expect(status ?? successOf(operation, body)).to.equal(successOf(operation, body));
  if (key === '' || kept !== undefined) return;
  const shown = [body?.customer?.id, body?.customer_id];
  const customer = tenant.customers.find((one) => shown.includes(one.id))?.id;
  tenant.keys[key] = { payload, body, customer };
}

/** The workers have nothing to do. */
export function settle({ customers }: Tenant): void {
  for (const customer of customers) customer.settled = customer.items.length;
}

function replay(kept: { payload: string; body: Json }, payload: string): Verdict {
  return kept.payload === payload
    ? (body) => expect(isAlike(body, kept.body), 'as the first answer').to.equal(true)
    : 'idempotency_conflict';
}

/** Whether what both have is the same: GraphQL is asked for less than REST tells. */
function isAlike(one: Json, other: Json): boolean {
  if (one === undefined || other === undefined) return true;
  if (typeof one !== 'object' || typeof other !== 'object') return one === other;
  return Object.keys(one).every((name) => isAlike(one[name], other[name]));
}

function successOf(operation: Operation, body: Json): number {
  if (operation === 'deleteCustomer') return 204;
  if (operation === 'revokeConsentReceipt' || operation.startsWith('ingest')) return 202;
  return operation === 'createConsentReceipt' || body.status === 'created' ? 201 : 200;
}

const RULES: Record<Operation, (tenant: Tenant, call: Call) => Verdict> = {
  updateApp(tenant, { id, input }) {
    const allowed = input['allowed_consent_purposes'] as string[];
    if (id !== tenant.appId) return 'not_found';
    if (!isWithin(allowed, tenant.granted)) return 'validation_failed';
    return (body) => {
      for (const { items, settled } of tenant.customers)
        for (const item of items.slice(settled)) item.isDoubtful ||= !allowed.includes(item.purpose);
      tenant.allowed = allowed;
      expectShown(body, { allowed_consent_purposes: allowed });
    };
  },

  createCustomer(tenant, { input }) {
    return ({ status, customer }) => {
      const known = tenant.customers.find(({ data }) => data['external_id'] === input['external_id']);
      const data = { ...known?.data, ...input };
      expect(status).to.equal(statusOf(known?.data, data));
      if (known !== undefined) known.data = data;
      else {
        expect(find(tenant, customer.id)).to.equal(undefined);
        tenant.customers.push({ id: customer.id, data, gates: {}, receipts: [], items: [], settled: 0 });
      }
      expectShown(customer, shownCustomer(tenant, known ?? find(tenant, customer.id)));
    };
  },

  deleteCustomer(tenant, { id }) {
    if (find(tenant, id) === undefined) return 'not_found';
    return () => {
      tenant.customers = tenant.customers.filter((customer) => customer.id !== id);
      // Answers that show the customer go too, and their keys are free.
      const others = Object.entries(tenant.keys).filter(([, { customer }]) => customer !== id);
      tenant.keys = Object.fromEntries(others);
    };
  },

  createEntry({ entries }, { input }) {
    const isbn = String((input['fields'] as Body)['isbn']);
    return ({ status, entry }) => {
      expect(status).to.equal(statusOf(entries[isbn], entry.entry_id));
      entries[isbn] ??= entry.entry_id;
    };
  },

  createConsentReceipt(tenant, { input }) {
    const purposes = input['purposes'] as string[];
    const customer = find(tenant, input['customer_id']);
    if (customer === undefined || !isWithin(purposes, tenant.allowed)) return 'validation_failed';
    return (body) => {
      for (const purpose of purposes) {
        const { status, epoch } = customer.gates[purpose] ?? { status: 'revoked', epoch: 0 };
        customer.gates[purpose] = { status: 'granted', epoch: status === 'granted' ? epoch : epoch + 1 };
      }
      const granted = purposes.map((purpose) => [purpose, { status: 'granted' }]);
      customer.receipts.push({ id: body.id, purposes: Object.fromEntries(granted) });
      expectShown(body, shownReceipts(tenant, customer).at(-1) ?? {});
    };
  },

  revokeConsentReceipt({ customers }, { id, input }) {
    const customer = customers.find(({ receipts }) => receipts.some((one) => one.id === id));
    const receipt = customer?.receipts.find((one) => one.id === id);
    if (customer === undefined || receipt === undefined) return 'not_found';
    const purposes = (input['purposes'] as string[] | undefined) ?? Object.keys(receipt.purposes);
    if (!isWithin(purposes, Object.keys(receipt.purposes))) return 'validation_failed';
    return (body) => {
      for (const purpose of purposes)
        for (const { [purpose]: decided } of [receipt.purposes, customer.gates])
          if (decided !== undefined) decided.status = 'revoked';
      expectShown(body, { status: 'accepted' });
    };
  },

  ingestClaim: (tenant, { input }) => ingestOne(tenant, 'claim', input),
  ingestEvent: (tenant, { input }) => ingestOne(tenant, 'event', input),
  ingestClaims: (tenant, { input }) => ingestMany(tenant, 'claim', input['claims'] as Body[]),
  ingestEvents: (tenant, { input }) => ingestMany(tenant, 'event', input['events'] as Body[]),

  customers(tenant, { input: { consent_purpose: purpose } }) {
    const due = tenant.customers.filter((one) => purpose === undefined || isOpen(tenant, one, purpose));
    const shown = due.map((one) => shownCustomer(tenant, one));
    return ({ data }) => expectList(data, shown);
  },

  effectiveConsent(tenant, { input }) {
    const customer = find(tenant, input['customer_id']);
    if (customer === undefined) return 'not_found';
    const { id, gates, receipts } = customer;
    const due = { customer_id: id, purposes: shownPurposes(gates), latest_receipt_id: receipts.at(-1)?.id };
    return (body) => expectShown(body, due);
  },

  consentReceipts(tenant, { input }) {
    const due = customersOf(tenant, input).flatMap((customer) => shownReceipts(tenant, customer));
    return ({ data }) => expectList(data, due);
  },

  resolvedProfile: (tenant, call) =>
    gated(tenant, call, 'claim', ({ facts }, claims, certain) => {
      const seen = facts.map((fact: Json) => `${fact.consent_purpose} ${fact.attribute}`);
      expectBetween(seen, certain.map(factOf), claims.map(factOf));
      for (const { consent_purpose: purpose, attribute, resolved_value: value, ...fact } of facts) {
        const of = claims.filter((claim) => factOf(claim) === `${purpose} ${attribute}`);
        const values = of.map(({ body }) => body['value']);
        for (const other of fact.alternatives ?? []) expect(values).to.include(other.value);
        expect(fact.evidence).to.have.lengthOf.at.least(1);
        for (const claim of fact.evidence) expectClaim({ ...claim, value }, of);
      }
    }),

  claims: (tenant, call) =>
    gated(tenant, call, 'claim', ({ data }, claims, certain) => {
      const seen = data.map(({ id }: Json) => id);
      const ids = claims.map(({ id }) => id).toReversed();
      expect(seen).to.deep.equal(ids.filter((id) => seen.includes(id)));
      // None is missing that came before one that is shown.
      const applied = claims.slice(0, claims.findIndex(({ id }) => id === seen[0]) + 1);
      const due = claims.filter((one) => certain.includes(one) || (applied.includes(one) && !one.isDoubtful));
      expect(seen).to.include.members(due.map(({ id }) => id));
      for (const claim of data) expectClaim(claim, claims);
    }),

  intents: (tenant, call) =>
    gated(tenant, call, 'event', ({ data }, events, certain) => {
      const seen = data.map((one: Json) => `${one.consent_purpose} ${one.category} ${one.object}`);
      expectBetween(seen, certain.map(intentOf), events.map(intentOf));
    }),

  events(tenant, { input }) {
    return ({ data }) => {
      const all = customersOf(tenant, input).flatMap((customer) =>
        customer.items.map((item, at) => ({ customer, item, at })),
      );
      const due = all.filter(({ item }) => item.kind === 'event');
      expect(data.map((one: Json) => one.event_id)).to.have.members(due.map(({ item }) => item.id));
      for (const { customer, item, at } of due) {
        const event = data.find((one: Json) => one.event_id === item.id);
        const isShown = isReadable(tenant, customer, item);
        const waiting = at < customer.settled ? [] : ['accepted', 'processing'];
        const dropped = isShown && !item.isDoubtful ? [] : ['rejected'];
        expect(event.status).to.be.oneOf(['processed', ...waiting, ...dropped]);
        expect(event.sequence).to.equal(at + 1);
        const { customer_id: _, consent_purpose: _purpose, ...content } = item.body;
        if (!isShown) expect(event).not.to.have.any.keys(Object.keys(content));
        else if (event.status !== 'rejected') expectShown(event, content);
      }
    };
  },
};

function find({ customers }: Tenant, id: unknown): Customer | undefined {
  return customers.find((customer) => customer.id === id);
}

function customersOf({ customers }: Tenant, { customer_id: id }: Body): Customer[] {
  return customers.filter((customer) => id === undefined || customer.id === id);
}

function isWithin(some: readonly string[], all: readonly string[]): boolean {
  return some.every((one) => all.includes(one));
}

function isOpen({ allowed }: Tenant, { gates }: Customer, purpose: unknown): boolean {
  return allowed.includes(String(purpose)) && gates[String(purpose)]?.status === 'granted';
}

/** Whether consent goes on since an item was collected. */
function isLive({ gates }: Customer, { purpose, epoch }: Item): boolean {
  return gates[purpose]?.status === 'granted' && gates[purpose].epoch === epoch;
}

/** Whether the gate lets an item through. */
function isReadable({ allowed }: Tenant, customer: Customer, item: Item): boolean {
  return allowed.includes(item.purpose) && isLive(customer, item);
}

/** A read through the gate, of items that may be shown, of which some must be. */
function gated(
  tenant: Tenant,
  { input: { customer_id: id, consent_purpose: asked } }: Call,
  kind: Item['kind'],
  expectItems: (body: Json, possible: Item[], certain: Item[]) => void,
): Verdict {
  const customer = find(tenant, id);
  if (customer === undefined) return 'not_found';
  if (asked !== undefined && !isOpen(tenant, customer, asked)) return 'consent_denied';
  const readable = customer.items.filter((item) => item.kind === kind && isReadable(tenant, customer, item));
  const possible = readable.filter(({ purpose }) => asked === undefined || asked === purpose);
  const settled = customer.items.slice(0, customer.settled);
  const certain = possible.filter((item) => settled.includes(item) && !item.isDoubtful);
  return (body) => expectItems(body, possible, certain);
}

function factOf({ purpose, body }: Item): string {
  return `${purpose} ${String(body['attribute'])}`;
}

function intentOf({ purpose, body: { event_type: type, object } }: Item): string {
  return `${purpose} ${type === 'liked' ? 'sentiment' : 'outcome'} ${String(object)}`;
}

/** Why an item is refused; else the event that it repeats. */
function judge(tenant: Tenant, kind: Item['kind'], body: Body): Refusal | { first?: Item | undefined } {
  const customer = find(tenant, body['customer_id']);
  const isKnown = kind === 'claim' || Object.values(tenant.entries).includes(String(body['object']));
  if (Number(body['confidence']) > 1 || customer === undefined || !isKnown) return 'validation_failed';
  if (!isOpen(tenant, customer, body['consent_purpose'])) return 'consent_denied';
  const { event_key: key } = body;
  const first = customer.items.find((item) => item.body['event_key'] === key && isLive(customer, item));
  if (key === undefined || first === undefined) return {};
  return same(first.body, body) ? { first } : 'conflict';
}

/** An item is accepted at the end of its customer's series, or repeats an event. */
function accept(tenant: Tenant, kind: Item['kind'], body: Body, answer: Json, first?: Item): void {
  const { [`${kind}_id`]: id, sequence, status } = answer;
  const { items, gates } = find(tenant, body['customer_id']) as Customer;
  const purpose = String(body['consent_purpose']);
  const item = first ?? { id, kind, purpose, epoch: gates[purpose]?.epoch ?? 0, isDoubtful: false, body };
  if (first === undefined) items.push(item);
  expect([id, sequence]).to.deep.equal([item.id, items.indexOf(item) + 1]);
  const later = ['processing', 'processed', ...(item.isDoubtful ? ['rejected'] : [])];
  expect(status).to.be.oneOf(['accepted', ...(first === undefined ? [] : later)]);
}

function ingestOne(tenant: Tenant, kind: Item['kind'], input: Body): Verdict {
  const judged = judge(tenant, kind, input);
  return typeof judged === 'string' ? judged : (body) => accept(tenant, kind, input, body, judged.first);
}

function ingestMany(tenant: Tenant, kind: Item['kind'], inputs: readonly Body[]): Verdict {
  return ({ accepted, rejected, data }) => {
    expect(data.map(({ index }: Json) => index)).to.deep.equal([...inputs.keys()]);
    for (const [at, input] of inputs.entries()) {
      const judged = judge(tenant, kind, input);
      if (typeof judged !== 'string') accept(tenant, kind, input, data[at], judged.first);
      else expect([data[at].status, data[at].error?.code]).to.deep.equal(['rejected', judged]);
    }
    const refused = data.filter(({ error }: Json) => error !== undefined).length;
    expect([accepted, rejected]).to.deep.equal([inputs.length - refused, refused]);
  };
}

function statusOf(before: unknown, after: unknown): string {
  if (before === undefined) return 'created';
  return same(before, after) ? 'unchanged' : 'updated';
}

function shownCustomer({ appId }: Tenant, customer: Customer | undefined): Body {
  return { id: customer?.id, app_id: appId, status: 'active', ...customer?.data };
}

function shownPurposes(of: Record<string, { status: Status }>): { purpose: string; status: Status }[] {
  return Object.entries(of).map(([purpose, { status }]) => ({ purpose, status }));
}

function shownReceipts({ appId }: Tenant, { id: customerId, receipts }: Customer): Body[] {
  return receipts.map((receipt) => {
    const purposes = shownPurposes(receipt.purposes);
    const revoked = purposes.filter(({ status }) => status === 'revoked').length;
    const whole = revoked === 0 ? 'active' : 'revoked';
    const status = revoked % purposes.length === 0 ? whole : 'partially_revoked';
    return { id: receipt.id, app_id: appId, customer_id: customerId, status, purposes };
  });
}

function expectClaim(seen: Json, claims: readonly Item[]): void {
  const claim = claims.find(({ id }) => id === seen.id);
  expect(claim, `claim ${seen.id} of another customer, purpose or epoch`).not.to.equal(undefined);
  const { provenance: _, ...body } = claim?.body ?? {};
  expectShown(seen, body);
}

/** A whole list, the newest first. */
function expectList(seen: Json[], due: Body[]): void {
  const newestFirst = due.toSorted((one, other) => (String(one['id']) < String(other['id']) ? 1 : -1));
  expect(seen).to.have.lengthOf(due.length);
  for (const [at, one] of newestFirst.entries()) expectShown(seen[at], one);
}

/** All that is certain, nothing that is not possible, nothing twice. */
function expectBetween(seen: string[], certain: string[], possible: string[]): void {
  expect(seen).to.have.lengthOf(new Set(seen).size);
  expect(seen).to.include.members(certain);
  for (const one of seen) expect(possible).to.include(one);
}

/** The answer has these members. Purposes are in no order. */
function expectShown(seen: Json, due: Body): void {
  for (const [name, value] of Object.entries(due))
    if (!name.endsWith('purposes')) expect(seen[name], name).to.deep.equal(value);
    else expect(seen[name].map(words), name).to.have.members((value as Json[]).map(words));
}

function words(item: Json): string {
  return typeof item === 'string' ? item : `${item.purpose} ${item.status}`;
}
