import type { Json } from '../../support/TestPartner.js';
import type { Outcome } from './doors.js';
import { isRead } from './doors.js';
import type { Real, Sending } from './World.js';

type Sql = (text: string, values?: readonly unknown[]) => Promise<Json[]>;

/** What breaks a promise of the service, by its name; for one run. */
export const FAULTS: Record<string, (real: Real, sql: Sql) => Partial<Real>> = {
  'a revoke that the gate ignores': ({ send }, sql) => ({
    send: (sending) =>
      sending.operation === 'revokeConsentReceipt' ? keepingGrants(sql, () => send(sending)) : send(sending),
  }),

  'a claim taken for a closed purpose': ({ send }, sql) => ({
    send: (sending) =>
      sending.operation === 'ingestClaim'
        ? keepingGrants(sql, () => send(sending), 'UPDATE customer_heads SET granted_mask = 127')
        : send(sending),
  }),

  "a read of another app's customer": ({ send }) => ({
    send: async (sending) => {
      const outcome = await send(sending);
      const isMissed = isRead(sending.operation) && outcome.code === 'not_found';
      return isMissed ? send({ ...sending, app: 1 - sending.app }) : outcome;
    },
  }),

  'a key replayed over apps': replaying(
    ({ key, operation, id, input }) => key && [key, operation, id, input],
  ),
  'a key replayed under another payload': replaying(({ key, app }) => key && [key, app]),
  'a cache of what is read': replaying(({ key, app, operation, input }) => !key && [app, operation, input]),

  'an accepted claim that is lost': ({ idle }, sql) => ({
    idle: async () => {
      await idle();
      await sql('DELETE FROM claims WHERE claim_id = (SELECT max(claim_id) FROM claims)');
    },
  }),
};

/** Answers again what it answered to the same name, if there is one. */
function replaying(nameOf: (sending: Sending) => unknown): (real: Real) => Partial<Real> {
  return ({ send }) => {
    const kept = new Map<string, Outcome>();
    return {
      send: async (sending) => {
        const named = nameOf(sending);
        if (!Array.isArray(named)) return send(sending);
        const name = JSON.stringify(named);
        const outcome = kept.get(name) ?? (await send(sending));
        if (outcome.code === undefined) kept.set(name, outcome);
        return outcome;
      },
    };
  };
}

/** Does it, and leaves what customers have granted as it was. */
async function keepingGrants(sql: Sql, act: () => Promise<Outcome>, first?: string): Promise<Outcome> {
  const heads = await sql('SELECT customer_id, granted_mask FROM customer_heads');
  if (first !== undefined) await sql(first);
  const outcome = await act();
  await sql(
    `UPDATE customer_heads h SET granted_mask = former.mask
       FROM unnest($1::text[], $2::integer[]) AS former (id, mask) WHERE h.customer_id = former.id`,
    [heads.map(({ customer_id: id }) => id), heads.map(({ granted_mask: mask }) => mask)],
  );
  return outcome;
}
