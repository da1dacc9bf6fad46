import type { ConsentReceipt } from '../../schema/types/Consent.js';
import type { ReceiptPurposeRow, ReceiptRow } from '../../entities/ConsentReceiptEntity.js';
import { purposeAt, PURPOSES } from '../domain/purposes.js';
import { RECEIPT_COLUMNS, toReceipt } from '../../entities/ConsentReceiptEntity.js';
import type { Database } from '../database/Database.js';
import type { Purpose } from '../domain/purposes.js';

/** A partner's rights to a person's data, as the person sees them. */
export interface AccountConnection {
  appId: string;
  customerId: string;
  linkedAt: string;
  partner: string;
  /** Of the partner's logo. */
  logoDigest: string | null;
  /** Every purpose ever decided or approved, in the vocabulary's order. */
  purposes: ConnectionPurpose[];
  /** The newest receipts, newest first. */
  receipts: ConsentReceipt[];
}

export interface ConnectionPurpose {
  purpose: Purpose;
  /** `granted`: the partner recorded it. `approved`: it still can record it. `withdrawn`: it may not. */
  state: 'granted' | 'approved' | 'withdrawn';
  /** When a purpose was granted or withdrawn. */
  since: string | null;
  /** When an unrecorded approval expires; a granted purpose can have one too. */
  approvedUntil: string | null;
}

interface ApprovalRow {
  purpose: Purpose;
  at: string;
}

interface LinkRow {
  app_id: string;
  customer_id: string;
  linked_at: string;
  name: string;
  logo_digest: string | null;
}

interface StateRow {
  consents: ReceiptPurposeRow[] | null;
  receipts: ReceiptRow[] | null;
  approvals: ApprovalRow[] | null;
  taken_back: ApprovalRow[] | null;
}

/** Links read at once. Many may have nothing to show, so they are read until enough have. */
const BATCH = 100;

/** What of an account's connections is wanted. */
export interface ConnectionChoice {
  /** At most so many. */
  connections: number;
  /** At most so many of each. */
  receipts: number;
  /** Also those with no purpose: what was approved expired before the partner recorded it. */
  lapsed?: boolean;
}

/** The connections of an account, newest first. */
export async function listAccountConnections(
  { database, clock }: { database: Database; clock: () => Date },
  accountId: string,
  choice: ConnectionChoice = { connections: 1000, receipts: 20 },
): Promise<AccountConnection[]> {
  const connections: AccountConnection[] = [];
  for (let before = 0; connections.length < choice.connections; before += BATCH) {
    const links = await database.read<LinkRow>(LINKS, [accountId, BATCH, before]);
    const read = await Promise.all(
      links.map((link) => readConnection(database, clock(), link, accountId, choice.receipts)),
    );
    const known = read.filter((connection) => connection !== undefined);
    connections.push(...known.filter(({ purposes }) => choice.lapsed === true || purposes.length > 0));
    if (links.length < BATCH) break;
  }
  return connections.slice(0, choice.connections);
}

/** Whether the account is linked to the customer and may see and withdraw its consent. */
export async function hasAccountLink(
  database: Database,
  accountId: string,
  appId: string,
  customerId: string,
): Promise<boolean> {
  const rows = await database.read(HAS_LINK, [accountId, appId, customerId]);
  return rows.length > 0;
}

async function readConnection(
  database: Database,
  now: Date,
  link: LinkRow,
  accountId: string,
  receipts: number,
): Promise<AccountConnection | undefined> {
  const [state] = await database.readAs<StateRow>(link.app_id, STATE, [
    link.app_id,
    link.customer_id,
    now,
    receipts,
    accountId,
  ]);
  if (state === undefined) return undefined;
  return {
    appId: link.app_id,
    customerId: link.customer_id,
    linkedAt: link.linked_at,
    partner: link.name,
    logoDigest: link.logo_digest,
    purposes: purposesOf(state),
    receipts: (state.receipts ?? []).map(withPlainTimes),
  };
}

function purposesOf(row: StateRow): ConnectionPurpose[] {
  const consents = new Map((row.consents ?? []).map((consent) => [purposeAt(consent.purpose), consent]));
  const approvals = new Map((row.approvals ?? []).map(({ purpose, at }) => [purpose, plainTime(at)]));
  const takenBack = new Map((row.taken_back ?? []).map(({ purpose, at }) => [purpose, plainTime(at)]));
  return PURPOSES.flatMap((purpose): ConnectionPurpose[] => {
    const consent = consents.get(purpose);
    const approvedUntil = approvals.get(purpose) ?? null;
    if (consent?.revoked_at === null)
      return [{ purpose, state: 'granted', since: plainTime(consent.granted_at), approvedUntil }];
    if (approvedUntil !== null) return [{ purpose, state: 'approved', since: null, approvedUntil }];
    const ended = [consent?.revoked_at, takenBack.get(purpose)]
      .filter((at) => typeof at === 'string')
      .map(plainTime);
    const since = ended.toSorted().at(-1);
    return since === undefined ? [] : [{ purpose, state: 'withdrawn', since, approvedUntil }];
  });
}

function plainTime(at: string): string {
  return new Date(at).toISOString();
}

/** Times in a JSON aggregate have PostgreSQL's format. */
function withPlainTimes(row: ReceiptRow): ConsentReceipt {
  const revokedAt = row.revoked_at === null ? null : plainTime(row.revoked_at);
  return { ...toReceipt(row), grantedAt: plainTime(row.granted_at), revokedAt };
}

const LINKS = {
  name: 'account_links_list',
  text: `SELECT l.app_id, l.customer_id, l.linked_at, a.name, a.logo_digest
           FROM account_links l JOIN apps a USING (app_id)
          WHERE l.account_id = $1 ORDER BY l.linked_at DESC, l.app_id, l.customer_id
          LIMIT $2 OFFSET $3`,
};

const HAS_LINK = {
  name: 'account_link_exists',
  text: `SELECT 1 FROM account_links WHERE account_id = $1 AND app_id = $2 AND customer_id = $3`,
};

// A receipt of another account's approval is that person's, with what it tells of them; nobody's once that
// account is deleted.
const STATE = {
  name: 'account_connection_state',
  text: `SELECT
    (SELECT jsonb_agg(jsonb_build_object('purpose', c.purpose, 'granted_at', c.granted_at, 'revoked_at',
      c.revoked_at) ORDER BY c.purpose)
       FROM customer_consents c WHERE c.app_id = $1 AND c.customer_id = $2) AS consents,
    (SELECT jsonb_agg(to_jsonb(newest) ORDER BY newest.receipt_id DESC)
       FROM (SELECT ${RECEIPT_COLUMNS} FROM consent_receipts r
              WHERE r.app_id = $1 AND r.customer_id = $2 AND NOT EXISTS (
                SELECT FROM connection_sessions s WHERE s.app_id = $1
                   AND s.session_id = r.connection_session_id
                   AND s.service_user_id IS DISTINCT FROM $5)
              ORDER BY r.receipt_id DESC LIMIT $4) newest) AS receipts,
    (SELECT jsonb_agg(jsonb_build_object('purpose', purpose, 'at', until))
       FROM (SELECT unnest(approved_purposes) AS purpose, max(expires_at) AS until FROM connection_sessions
              WHERE app_id = $1 AND customer_id = $2 AND status = 'authorized' AND expires_at > $3
                GROUP BY 1) open) AS approvals,
    (SELECT jsonb_agg(jsonb_build_object('purpose', purpose, 'at', withdrawn_at))
       FROM (SELECT unnest(withdrawn_purposes) AS purpose, max(withdrawn_at) AS withdrawn_at
         FROM connection_sessions
              WHERE app_id = $1 AND customer_id = $2 AND withdrawn_purposes <> '{}'
                GROUP BY 1) ended) AS taken_back`,
};
