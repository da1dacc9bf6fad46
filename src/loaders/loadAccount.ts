import type { Services } from '../Services.js';

const BY_ID = {
  name: 'account_by_id',
  text: 'SELECT account_id AS id, COALESCE(claimed_email, email) AS email FROM accounts WHERE account_id = $1',
};

/** An account as its owner sees it. */
export async function loadAccount(
  services: Services,
  id: string,
): Promise<{ id: string; email: string } | undefined> {
  const [row] = await services.database.read<{ id: string; email: string }>(BY_ID, [id]);
  return row;
}
