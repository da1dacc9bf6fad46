import DataLoader from 'dataloader';
import type { ConsentReceipt, EffectiveConsent } from '../../schema/types/Consent.js';
import type { Customer } from '../../schema/types/Customer.js';
import type { FactExplanation } from '../../schema/types/FactExplanation.js';
import type { PurposeGate } from '../../schema/types/PurposeGate.js';
import type { ResolvedProfile } from '../../schema/types/ResolvedProfile.js';
import type { Caller } from '../access/Caller.js';
import type { Gated } from '../access/Gated.js';
import type { Door } from '../domain/factText.js';
import type { Purpose } from '../domain/purposes.js';
import type { Services } from '../Services.js';
import { loadCustomers } from './loadCustomers.js';
import { loadEffectiveConsents } from './loadEffectiveConsents.js';
import { loadExplanations } from './loadExplanations.js';
import type { FactName } from './loadExplanations.js';
import { loadGates } from './loadGates.js';
import { loadProfiles } from './loadProfiles.js';
import { loadReceipts } from './loadReceipts.js';

/** How an operation takes facts: as objects, or as the text that is stored for a door, when it selects exactly that. */
export type FactForm = 'objects' | Door;

/** Batched reads of one request, all as its app. Made anew per request, so nothing outlives a change of consent. */
export class Loaders {
  readonly services: Services;
  readonly appId: string;
  readonly factForm: FactForm;
  readonly customers: DataLoader<string, Customer | undefined>;
  readonly receipts: DataLoader<string, ConsentReceipt | undefined>;
  readonly effectiveConsents: DataLoader<string, EffectiveConsent | undefined>;
  readonly explanations: DataLoader<FactName, Gated<FactExplanation | null> | undefined>;
  readonly gates: DataLoader<string, PurposeGate[] | undefined>;
  private readonly profilesByPurpose = new Map<
    Purpose | undefined,
    DataLoader<string, Gated<ResolvedProfile> | undefined>
  >();

  constructor(services: Services, caller: Caller, factForm: FactForm = 'objects') {
    this.services = services;
    this.factForm = factForm;
    this.appId = caller.kind === 'app' ? caller.appId : '';
    this.customers = new DataLoader((ids) => loadCustomers(this, ids));
    this.receipts = new DataLoader((ids) => loadReceipts(this, ids));
    this.effectiveConsents = new DataLoader((ids) => loadEffectiveConsents(this, ids));
    this.explanations = new DataLoader((names) => loadExplanations(this, names), { cache: false });
    this.gates = new DataLoader((ids) => loadGates(this, ids), { cache: false });
  }

  /** Profiles by customer; of one purpose when given, else of every purpose granted now. */
  profiles(purpose: Purpose | undefined): DataLoader<string, Gated<ResolvedProfile> | undefined> {
    const known = this.profilesByPurpose.get(purpose);
    if (known !== undefined) return known;
    const loader = new DataLoader<string, Gated<ResolvedProfile> | undefined>(
      (ids) => loadProfiles(this, ids, purpose),
      { cache: false },
    );
    this.profilesByPurpose.set(purpose, loader);
    return loader;
  }
}

/** Puts rows into the order of the ids that were asked for. */
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
