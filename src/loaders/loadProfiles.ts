import type { ResolvedProfile } from '../../schema/types/ResolvedProfile.js';
import { passGate } from '../access/consentGate.js';
import type { Gated } from '../access/consentGate.js';
import { ALL_PURPOSES_MASK, maskOf } from '../domain/purposes.js';
import type { Purpose } from '../domain/purposes.js';
import { FACT_TEXT, readForward } from '../documents/textVersion.js';
import { StoredText } from '../documents/StoredText.js';
import { inOrder } from './Loaders.js';
import type { Door } from '../domain/door.js';
import type { ReadScope } from './ReadScope.js';
import { readProfileRows } from './readProfileRows.js';
import type { ProfileRow } from './readProfileRows.js';

/** Profiles that one statement may read: of one app, one purpose and in one form. */
export interface ProfileGroup extends ReadScope {
  /** In whose spelling the facts are wanted. */
  door: Door;
  /** Undefined: every purpose granted now. */
  purpose: Purpose | undefined;
}

export async function loadProfiles(
  { services, appId, door, purpose }: ProfileGroup,
  ids: readonly string[],
): Promise<(Gated<ResolvedProfile> | undefined)[]> {
  const asked = purpose === undefined ? ALL_PURPOSES_MASK : maskOf([purpose]);
  const rows = await readProfileRows(services, { appId, ids, asked, forRest: door === 'rest' });
  return inOrder(
    ids,
    rows,
    (row) => row.customer_id,
    (row) => toProfile(row, purpose, door),
  );
}

function toProfile(row: ProfileRow, purpose: Purpose | undefined, door: Door): Gated<ResolvedProfile> {
  return passGate(purpose, row, () => ({
    customerId: row.customer_id,
    facts: new StoredText(readForward(FACT_TEXT, door, row.documents), row.fact_count),
    resolvedAt: row.resolved_at,
  }));
}
