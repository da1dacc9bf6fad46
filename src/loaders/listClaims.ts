import type { Connection } from '../../schema/connection.js';
import type { Claim } from '../../schema/types/Claim.js';
import { GateClosed, GateOpen } from '../access/Gated.js';
import type { Gated } from '../access/Gated.js';
import { toClaim } from '../commands/claimRow.js';
import type { ClaimRow } from '../commands/claimRow.js';
import { purposeAt } from '../commands/receiptRow.js';
import { ALL_PURPOSES_MASK, maskOf } from '../domain/purposes.js';
import type { Purpose } from '../domain/purposes.js';
import type { Loaders } from './Loaders.js';
import { readWindow, toPage } from './page.js';
import type { PageRequest } from './page.js';

interface ListedRow extends ClaimRow {
  open_mask: number;
  /** Purposes asked for that the app may use at all. */
  allowed_mask: number;
  /** Null on the one row that comes when no claim is visible. */
  sequence: number | null;
  purpose: number;
}

/** Gate and data in one snapshot, as in `loadProfiles`. */
const OF_CUSTOMER = {
  name: 'claims_of_customer',
  text: `WITH gate AS MATERIALIZED (
           SELECT h.customer_id, h.epochs, h.granted_mask & a.allowed_mask & $3::integer AS open_mask,
                  a.allowed_mask & $3::integer AS allowed_mask
             FROM customer_heads h JOIN apps a ON a.app_id = h.app_id
            WHERE h.app_id = $1 AND h.customer_id = $2)
         SELECT g.open_mask, g.allowed_mask, c.sequence, c.claim_id, c.purpose, c.attribute, c.value, c.source, c.observed_at, c.context, c.confidence, c.provenance
           FROM gate g LEFT JOIN LATERAL (
             SELECT c.* FROM claims c
              WHERE c.app_id = $1 AND c.customer_id = $2 AND (g.open_mask >> c.purpose) & 1 = 1 AND c.epoch = g.epochs[c.purpose + 1]
                AND ($4::bigint IS NULL OR c.sequence < $4)
              ORDER BY c.sequence DESC LIMIT $5) c ON true
          ORDER BY c.sequence DESC`,
};

/** Claims as they were observed, newest accepted first; undefined when there is no such customer. */
export async function listClaims(
  { services, appId }: Loaders,
  customerId: string,
  purpose: Purpose | undefined,
  request: PageRequest,
): Promise<Gated<Connection<Claim>> | undefined> {
  const scope = { appId, list: 'claims', filter: `${customerId}/${purpose ?? ''}` };
  const { limit, after } = readWindow(services.secrets, scope, request);
  const asked = purpose === undefined ? ALL_PURPOSES_MASK : maskOf([purpose]);
  const rows = await services.database.readAs<ListedRow>(appId, OF_CUSTOMER, [
    appId,
    customerId,
    asked,
    after,
    limit + 1,
  ]);
  const [first] = rows;
  if (first === undefined) return undefined;
  if (purpose !== undefined && first.open_mask === 0)
    return new GateClosed(purpose, first.allowed_mask === 0 ? 'purpose' : 'receipt');
  const claims = rows.filter((row) => row.sequence !== null);
  const page = toPage(services.secrets, scope, limit, claims, (row) => ({
    position: row.sequence ?? 0,
    node: toClaim(row, customerId, purposeAt(row.purpose)),
  }));
  return new GateOpen(page, first.open_mask);
}
