import type { Connection } from '../../schema/connection.js';
import type { Claim } from '../../schema/types/Claim.js';
import { askedMask, GATE_TABLES, gateColumns, openSql, passGate } from '../access/consentGate.js';
import type { Gated } from '../access/consentGate.js';
import { inForm } from '../documents/DocumentForms.js';
import { parseClaims } from '../documents/documentText.js';
import type { Purpose } from '../domain/purposes.js';
import { countUpTo } from './countUpTo.js';
import type { ReadContext } from './ReadScope.js';
import { readClaimPage } from './readClaimPage.js';
import { PageWindow } from './page.js';
import type { PageRequest } from './page.js';

/** The count has its own snapshot and gate: claims closed since the page was read are not counted. */
const ALL_OF_CUSTOMER = {
  name: 'claims',
  text: `SELECT FROM (SELECT h.customer_id, ${gateColumns('$3::integer')} FROM ${GATE_TABLES}
    WHERE h.app_id = $1 AND h.customer_id = $2) g
           JOIN claims c ON c.app_id = $1 AND c.customer_id = g.customer_id AND ${openSql('c')}`,
};

/** A customer's claims, newest accepted first; undefined when there is no such customer. */
export async function listClaims(
  { services, appId, forms }: ReadContext,
  customerId: string,
  purpose: Purpose | undefined,
  request: PageRequest,
): Promise<Gated<Connection<Claim>> | undefined> {
  const scope = { appId, list: 'claims', filter: `${customerId}/${purpose ?? ''}` };
  const page = new PageWindow(services.secrets, scope, request);
  const asked = askedMask(purpose);
  const question = { customerId, asked, before: page.after as number | null, most: page.size };
  const found = await readClaimPage({ services, appId }, question);
  if (found === undefined) return undefined;
  return passGate(purpose, found, () => {
    const { documents, sequences, hasMore } = found;
    const parse = (list: string): Claim[] => parseClaims(list) as Claim[];
    const nodes = inForm(forms.claims, documents, parse);
    const objects = (): Claim[] => parse(documents.text);
    const count = countUpTo({ services, appId }, ALL_OF_CUSTOMER, [appId, customerId, asked]);
    return page.pageOf({
      positions: sequences,
      nodes,
      objects,
      hasNextPage: hasMore,
      count,
    });
  });
}
