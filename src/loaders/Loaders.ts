import DataLoader from 'dataloader';
import type { ConsentReceipt, EffectiveConsent } from '../../schema/types/Consent.js';
import type { Customer } from '../../schema/types/Customer.js';
import type { FactExplanation } from '../../schema/types/FactExplanation.js';
import type { PurposeGate } from '../../schema/types/PurposeGate.js';
import type { ResolvedProfile, ResolvedProfileFact } from '../../schema/types/ResolvedProfile.js';
import type { Caller } from '../access/Caller.js';
import type { Gated } from '../access/consentGate.js';
import { takeSlice } from '../access/takeSlice.js';
import { parseFacts } from '../documents/documentText.js';
import { StoredText } from '../documents/StoredText.js';
import { AS_OBJECTS } from '../documents/DocumentForms.js';
import type { DocumentForms } from '../documents/DocumentForms.js';
import type { Purpose } from '../domain/purposes.js';
import type { ReadServices } from './ReadScope.js';
import { loadEffectiveConsents } from './loadEffectiveConsents.js';
import { loadExplanations } from './loadExplanations.js';
import type { FactName } from './loadExplanations.js';
import { loadGates } from './loadGates.js';
import type { ProfileGroup } from './loadProfiles.js';
import { loadReceipts } from './loadReceipts.js';

/**
 * Batched reads of one request, all as its app. Nothing read is cached beyond the request, so nothing
 * outlives a change of consent.
 */
export class Loaders {
  readonly appId: string;
  readonly receipts = new DataLoader<string, ConsentReceipt | undefined>((ids) => loadReceipts(this, ids));
  readonly effectiveConsents = new DataLoader<string, EffectiveConsent | undefined>((ids) =>
    loadEffectiveConsents(this, ids),
  );
  readonly explanations = new DataLoader<FactName, Gated<FactExplanation | null> | undefined>(
    (names) => loadExplanations(this, names),
    { cache: false },
  );
  readonly gates = new DataLoader<string, PurposeGate[] | undefined>((ids) => loadGates(this, ids), {
    cache: false,
  });

  constructor(
    readonly services: ReadServices,
    caller: Caller,
    readonly forms: DocumentForms = AS_OBJECTS,
  ) {
    this.appId = caller.kind === 'app' ? caller.appId : '';
  }

  customer(id: string): Promise<Customer | undefined> {
    return this.services.reads.customers.load({ services: this.services, appId: this.appId }, id);
  }

  /** A customer's profile: of the given purpose, or of every purpose granted now. */
  profile(id: string, purpose: Purpose | undefined): Promise<Gated<ResolvedProfile> | undefined> {
    return this.services.reads.profiles.load(this.profileGroup(purpose), id);
  }

  manyProfiles(
    ids: readonly string[],
    purpose: Purpose | undefined,
  ): Promise<(Gated<ResolvedProfile> | Error | undefined)[]> {
    return this.services.reads.profiles.loadMany(this.profileGroup(purpose), ids);
  }

  /**
   * The facts of a profile in the form that the request needs. Large numbers are parsed in turn with other
   * work of the process, and executed in the same turn.
   */
  facts({ facts }: ResolvedProfile): ResolvedProfile['facts'] | Promise<ResolvedProfile['facts']> {
    if (this.forms.facts !== 'objects' || !(facts instanceof StoredText)) return facts;
    const turn = takeSlice(facts.count);
    const parse = (): ResolvedProfileFact[] => parseFacts(facts.text) as ResolvedProfileFact[];
    return turn === undefined ? parse() : turn.then(parse);
  }

  private profileGroup(purpose: Purpose | undefined): ProfileGroup {
    const door = this.forms.facts === 'rest' ? 'rest' : 'graphql';
    return { services: this.services, appId: this.appId, door, purpose };
  }
}

/** Orders rows by the requested ids. */
export function inOrder<Row, T>(
  ids: readonly string[],
  rows: readonly Row[],
  idOf: (row: Row) => string,
  read: (row: Row) => T,
): (T | undefined)[] {
  const byId = new Map(rows.map((row) => [idOf(row), row]));
  return ids.map((id) => {
    const row = byId.get(id);
    return row === undefined ? undefined : read(row);
  });
}
