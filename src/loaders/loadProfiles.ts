import { forReadsOfApps } from '../database/openings.js';
import { isoTime } from '../database/types.js';
import type { ReplicaOutcome, Replicas } from '../database/Replicas.js';
import { inForm, isAsStored } from '../documents/DocumentForms.js';
import { parseFacts } from '../documents/documentText.js';
import { FACT_TEXT, readForward, StoredText, versionedText } from '../documents/StoredText.js';
import type { RequestServices } from '../Services.js';
import type { ResolvedProfile, ResolvedProfileFact } from '../../schema/types/ResolvedProfile.js';
import { askedMask, GATE_TABLES, gateColumns, openSql, passGate } from '../access/consentGate.js';
import type { Gated } from '../access/consentGate.js';
import { takeSlice } from '../concurrency/takeSlice.js';
import type { Door } from '../domain/door.js';
import type { Purpose } from '../domain/purposes.js';
import { inOrder } from './batched.js';
import type { ReadContext } from './ReadScope.js';

interface ProfileRow {
  customer_id: string;
  /** Purposes open for this read; 0 when the gate is closed. */
  open_mask: number;
  /** Requested purposes that the app may use. */
  allowed_mask: number;
  /** The facts, separated by commas, in the stored version; null without facts. */
  documents: string | null;
  fact_count: number;
  resolved_at: string;
}

interface WholeRow {
  customer_id: string;
  open_mask: string;
  allowed_mask: string;
  documents: string | null;
  fact_count: string;
  resolved_at: string;
}

interface ProfileQuestion {
  appId: string;
  ids: readonly string[];
  /** Mask of the requested purposes. */
  asked: number;
  /** Whether facts are in REST's spelling. */
  forRest: boolean;
}

/** @param tables of the gate; for several apps the row `a` of `EACH_READ` stands for the app's */
const gateFrom = (tables: string): string => `
  SELECT h.customer_id, h.changed_at, h.applied_sequence, ${gateColumns('$3::integer')}
    FROM ${tables}
   WHERE h.app_id = $1 AND h.customer_id = ANY ($2)`;

const TEXT = versionedText(FACT_TEXT, 'f', 'CASE WHEN $4::boolean THEN f.rest_document ELSE f.document END');

/** The columns of a profile from its facts `f`. */
export const OF_FACTS = `string_agg(${TEXT}, ',' ORDER BY f.attribute, f.purpose) AS documents,
         count(*)::text AS fact_count, max(f.resolved_at) AS resolved_at`;

/** Facts that the gate `g` allows: of open purposes and their current epochs. */
const FACTS = `LATERAL (
  SELECT ${OF_FACTS}
    FROM facts f
   WHERE f.app_id = $1 AND f.customer_id = g.customer_id AND ${openSql('f')}) f ON true`;

/** The values of each read, and its app's mask. In the text for several apps `a` is this row, no table. */
export const EACH_READ = `SELECT q.*, q.ids::text[] AS value2, allowed_mask
  FROM unnest($1::text[], $2::text[], $3::integer[], $4::boolean[])
         WITH ORDINALITY AS q (app_id, ids, value3, value4, place) JOIN apps USING (app_id)`;

const profilesFrom = (tables: string): string => `WITH gate AS MATERIALIZED (${gateFrom(tables)})
         SELECT g.customer_id, g.open_mask::text AS open_mask, g.allowed_mask::text AS allowed_mask, f.documents, f.fact_count,
                ${isoTime('coalesce(f.resolved_at, g.changed_at)')} AS resolved_at
           FROM gate g LEFT JOIN ${FACTS}`;

/**
 * Gate and data in one statement, so in one snapshot (docs/contract.md#consent): it returns facts only of
 * purposes that are granted, allowed to the app and requested, and only of the current epoch.
 */
export const PROFILES = {
  name: 'profiles',
  text: profilesFrom(GATE_TABLES),
  forApps: forReadsOfApps(EACH_READ, profilesFrom('customer_heads h')),
  onePlan: true,
  textOnly: true,
};

const GATE_ONLY = { name: 'profile_gates', text: gateFrom(GATE_TABLES), onePlan: true };

/** The data on a replica, under the primary's gate. The limit is as in `readClaimPage`. */
const BODY = {
  name: 'profile_bodies',
  text: `SELECT g.customer_id, (h.applied_sequence >= g.applied_sequence)::text AS is_current, f.documents, f.fact_count, ${isoTime('f.resolved_at')} AS resolved_at
           FROM (SELECT customer_id, open_mask, epochs::integer[] AS epochs, applied_sequence
                   FROM unnest($2::text[], $3::integer[], $5::text[], $6::bigint[]) AS q (customer_id, open_mask, epochs, applied_sequence)) g
           LEFT JOIN LATERAL (SELECT h.applied_sequence FROM customer_heads h
                               WHERE h.app_id = $1 AND h.customer_id = g.customer_id LIMIT 1) h ON true
           LEFT JOIN ${FACTS}`,
  onePlan: true,
  textOnly: true,
};

interface GateRow {
  customer_id: string;
  epochs: number[];
  changed_at: string;
  applied_sequence: number;
  open_mask: number;
  allowed_mask: number;
}

interface BodyRow {
  customer_id: string;
  /** Whether the replica is as current as the primary was; null for an unknown customer. */
  is_current: 'true' | 'false' | null;
  documents: string | null;
  fact_count: string;
  resolved_at: string | null;
}

/** Maximum profiles of a statement on a shared connection. */
const MAX_SHARED_IDS = 16;

/** A customer's profile: of the given purpose, or of every purpose granted now. */
export async function loadProfile(
  context: ReadContext,
  id: string,
  purpose: Purpose | undefined,
): Promise<Gated<ResolvedProfile> | undefined> {
  const [row] = await readProfileRows(context.services, questionOf(context, [id], purpose));
  return row && toProfile(row, purpose, doorOf(context));
}

/** The same of several customers, by one statement and in their order. */
export async function loadProfiles(
  context: ReadContext,
  ids: readonly string[],
  purpose: Purpose | undefined,
): Promise<(Gated<ResolvedProfile> | undefined)[]> {
  const rows = await readProfileRows(context.services, questionOf(context, ids, purpose));
  return inOrder(
    ids,
    rows,
    (row) => row.customer_id,
    (row) => toProfile(row, purpose, doorOf(context)),
  );
}

function questionOf(
  context: ReadContext,
  ids: readonly string[],
  purpose: Purpose | undefined,
): ProfileQuestion {
  return { appId: context.appId, ids, asked: askedMask(purpose), forRest: doorOf(context) === 'rest' };
}

/** The spelling of the facts. */
function doorOf({ forms }: ReadContext): Door {
  return forms.facts === 'objects' ? 'graphql' : forms.facts.storedFor;
}

function toProfile(row: ProfileRow, purpose: Purpose | undefined, door: Door): Gated<ResolvedProfile> {
  return passGate(purpose, row, () => ({
    customerId: row.customer_id,
    facts: readForward(FACT_TEXT, door, row.documents, row.fact_count),
    resolvedAt: row.resolved_at,
  }));
}

/**
 * The facts of a profile in the form that the request needs. Large numbers are parsed or cut in turn with
 * other work of the process, and executed in the same turn.
 */
export function factsOf(
  { forms }: ReadContext,
  { facts }: ResolvedProfile,
): ResolvedProfile['facts'] | Promise<ResolvedProfile['facts']> {
  if (!(facts instanceof StoredText) || isAsStored(forms.facts)) return facts;
  const turn = takeSlice(facts.count);
  const read = (): ResolvedProfile['facts'] => inForm(forms.facts, facts, parse);
  return turn === undefined ? read() : turn.then(read);
}

function parse(list: string): ResolvedProfileFact[] {
  return parseFacts(list) as ResolvedProfileFact[];
}

/** Profiles of existing customers: whole from the primary, or with bodies from a replica if there is one. */
async function readProfileRows(services: RequestServices, question: ProfileQuestion): Promise<ProfileRow[]> {
  const viaReplica = services.replicas && (await readViaReplica(services, services.replicas, question));
  if (viaReplica !== undefined) return viaReplica;
  const { appId, ids, asked, forRest } = question;
  const statement = { ...PROFILES, alone: ids.length > MAX_SHARED_IDS };
  const rows = await services.database.readAs<WholeRow>(appId, statement, [appId, ids, asked, forRest]);
  return rows.map(({ customer_id, open_mask, allowed_mask, documents, fact_count, resolved_at }) => ({
    customer_id,
    open_mask: Number(open_mask),
    allowed_mask: Number(allowed_mask),
    documents,
    fact_count: Number(fact_count),
    resolved_at,
  }));
}

/**
 * The gate (granted purposes, epochs, what the app may use) is read from the primary for every request. A
 * late, stopped or restored replica can only lack facts of an open epoch, never show one of a closed. If it
 * has applied less than the primary or does not answer in time, the primary answers.
 */
async function readViaReplica(
  services: RequestServices,
  replicas: Replicas,
  question: ProfileQuestion,
): Promise<ProfileRow[] | undefined> {
  const { appId, ids, asked, forRest } = question;
  const gates = await services.database.readAs<GateRow>(appId, GATE_ONLY, [appId, ids, asked]);
  if (gates.length === 0) return [];
  const bodies = await replicas.readAs<BodyRow>(appId, BODY, [
    appId,
    gates.map((gate) => gate.customer_id),
    gates.map((gate) => gate.open_mask),
    forRest,
    gates.map(({ epochs }) => `{${epochs.join(',')}}`),
    gates.map((gate) => gate.applied_sequence),
  ]);
  const outcome = outcomeOf(bodies);
  replicas.count(outcome, gates.length);
  if (bodies === undefined || outcome !== 'answered') return undefined;
  const byCustomer = new Map(bodies.map((body) => [body.customer_id, body]));
  return gates.map(({ customer_id, open_mask, allowed_mask, changed_at }) => {
    const body = byCustomer.get(customer_id);
    return {
      customer_id,
      open_mask,
      allowed_mask,
      documents: body?.documents ?? null,
      fact_count: Number(body?.fact_count ?? 0),
      resolved_at: body?.resolved_at ?? changed_at,
    };
  });
}

function outcomeOf(bodies: BodyRow[] | undefined): ReplicaOutcome {
  if (bodies === undefined) return 'unanswered';
  return bodies.every((body) => body.is_current === 'true') ? 'answered' : 'behind';
}
