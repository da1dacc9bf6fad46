import type { ConsentReceipt } from '../../schema/types/Consent.js';
import type { ReceiptPurposeRow, ReceiptRow } from '../commands/receiptRow.js';
import { purposeAt, RECEIPT_COLUMNS, toReceipt } from '../commands/receiptRow.js';
import type { Database, Row } from '../database/Database.js';
import type { Purpose } from '../domain/purposes.js';

/** What one partner may do with what it knows of a person, as the person sees it. */
export interface AccountConnection {
  appId: string;
  customerId: string;
  partner: string;
  /** Every purpose ever decided, by its effective state. */
  purposes: ConnectionPurpose[];
  /** The newest receipts, newest first. */
  receipts: ConsentReceipt[];
}

export interface ConnectionPurpose {
  purpose: Purpose;
  granted: boolean;
  /** When the present state began. */
  since: string;
}

interface LinkRow extends Row {
  app_id: string;
  customer_id: string;
  name: string;
}

interface StateRow extends Row {
  consents: ReceiptPurposeRow[] | null;
  receipts: ReceiptRow[] | null;
  waiting: boolean;
}

/** The connections of an account, newest first; at most as many as one page can show. */
export async function listAccountConnections(database: Database, accountId: string): Promise<AccountConnection[]> {
  const links = await database.read<LinkRow>(LINKS, [accountId]);
  const connections = await Promise.all(links.map((link) => readConnection(database, accountId, link)));
  return connections.filter((connection) => connection !== undefined);
}

/** Whether the account is linked to the customer: what entitles it to see and withdraw. */
export async function hasAccountLink(
  database: Database,
  accountId: string,
  appId: string,
  customerId: string,
): Promise<boolean> {
  const rows = await database.read(HAS_LINK, [accountId, appId, customerId]);
  return rows.length > 0;
}

/** Undefined for an approval that came to nothing: the partner never recorded it, and its session is over. */
async function readConnection(
  database: Database,
  accountId: string,
  link: LinkRow,
): Promise<AccountConnection | undefined> {
  const [state] = await database.readAs<StateRow>(link.app_id, STATE, [link.app_id, link.customer_id, accountId]);
  if (state?.consents == null && state?.waiting !== true) return undefined;
  return {
    appId: link.app_id,
    customerId: link.customer_id,
    partner: link.name,
    purposes: (state?.consents ?? []).map(toConnectionPurpose),
    receipts: (state?.receipts ?? []).map(withPlainTimes),
  };
}

function toConnectionPurpose(row: ReceiptPurposeRow): ConnectionPurpose {
  const since = row.revoked_at ?? row.granted_at;
  return { purpose: purposeAt(row.purpose), granted: row.revoked_at === null, since: new Date(since).toISOString() };
}

/** Times inside a JSON aggregate come in PostgreSQL's own spelling. */
function withPlainTimes(row: ReceiptRow): ConsentReceipt {
  return { ...toReceipt(row), grantedAt: new Date(row.granted_at).toISOString() };
}

const LINKS = {
  name: 'account_links_list',
  text: `SELECT l.app_id, l.customer_id, a.name FROM account_links l JOIN apps a USING (app_id)
          WHERE l.account_id = $1 ORDER BY l.linked_at DESC, l.app_id, l.customer_id LIMIT 100`,
};

const HAS_LINK = {
  name: 'account_link_exists',
  text: `SELECT 1 FROM account_links WHERE account_id = $1 AND app_id = $2 AND customer_id = $3`,
};

const STATE = {
  name: 'account_connection_state',
  text: `SELECT
    (SELECT jsonb_agg(jsonb_build_object('purpose', c.purpose, 'granted_at', c.granted_at, 'revoked_at', c.revoked_at) ORDER BY c.purpose)
       FROM customer_consents c WHERE c.app_id = $1 AND c.customer_id = $2) AS consents,
    (SELECT jsonb_agg(to_jsonb(newest) ORDER BY newest.receipt_id DESC)
       FROM (SELECT ${RECEIPT_COLUMNS} FROM consent_receipts r
              WHERE r.app_id = $1 AND r.customer_id = $2 ORDER BY r.receipt_id DESC LIMIT 20) newest) AS receipts,
    EXISTS (SELECT FROM connection_sessions s WHERE s.app_id = $1 AND s.customer_id = $2 AND s.service_user_id = $3
               AND s.status = 'authorized' AND s.expires_at > now()) AS waiting`,
};
