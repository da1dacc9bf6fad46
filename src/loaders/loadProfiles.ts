import type { ResolvedProfile, ResolvedProfileFact } from '../../schema/types/ResolvedProfile.js';
import { passGate } from '../access/consentGate.js';
import type { Gated } from '../access/Gated.js';
import { parseFacts } from '../documents/documentText.js';
import { ALL_PURPOSES_MASK, maskOf } from '../domain/purposes.js';
import type { Purpose } from '../domain/purposes.js';
import { FACT_TEXT, readForward } from '../documents/textVersion.js';
import { StoredText } from '../documents/StoredText.js';
import { inOrder } from './Loaders.js';
import type { FactForm } from '../documents/DocumentForms.js';
import type { ReadScope } from './ReadScope.js';
import { readProfileRows } from './readProfileRows.js';
import type { ProfileRow } from './readProfileRows.js';

/** Profiles that one statement may read: of one app, one purpose and in one form. */
export interface ProfileGroup extends ReadScope {
  factForm: FactForm;
  /** Undefined: every purpose granted now. */
  purpose: Purpose | undefined;
}

export async function loadProfiles(
  { services, appId, factForm, purpose }: ProfileGroup,
  ids: readonly string[],
): Promise<(Gated<ResolvedProfile> | undefined)[]> {
  const asked = purpose === undefined ? ALL_PURPOSES_MASK : maskOf([purpose]);
  const rows = await readProfileRows(services, { appId, ids, asked, forRest: factForm === 'rest' });
  return inOrder(
    ids,
    rows,
    (row) => row.customer_id,
    (row) => toProfile(row, purpose, factForm),
  );
}

function toProfile(row: ProfileRow, purpose: Purpose | undefined, form: FactForm): Gated<ResolvedProfile> {
  return passGate(purpose, row, () => ({
    customerId: row.customer_id,
    facts: factsIn(form, readForward(FACT_TEXT, form === 'rest' ? 'rest' : 'graphql', row.documents), row.fact_count),
    resolvedAt: row.resolved_at,
  }));
}

function factsIn(form: FactForm, text: string, count: number): ResolvedProfile['facts'] {
  return form === 'objects' ? (parseFacts(text) as ResolvedProfileFact[]) : new StoredText(text, count);
}
