import type { Connection } from '../../schema/connection.js';
import type { Claim } from '../../schema/types/Claim.js';
import { GateClosed, GateOpen } from '../access/Gated.js';
import type { Gated } from '../access/Gated.js';
import { toClaim } from '../commands/claimRow.js';
import { purposeAt } from '../commands/receiptRow.js';
import { ALL_PURPOSES_MASK, maskOf } from '../domain/purposes.js';
import type { Purpose } from '../domain/purposes.js';
import type { Loaders } from './Loaders.js';
import { readWindow, toPage } from './page.js';
import type { PageRequest } from './page.js';

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
  const question = { customerId, asked, before: after as number | null, most: limit + 1 };
  const rows = await services.reads.claims.load({ services, appId }, question);
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
