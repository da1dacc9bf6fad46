import type { Transaction } from '../database/Transaction.js';
import type { EncodedLogo } from './encodeLogo.js';

/** Puts the picture in the place of the one before; null removes it. The app's row has its digest. */
export async function storeAppLogo(tx: Transaction, appId: string, logo: EncodedLogo | null): Promise<void> {
  if (logo === null) {
    await tx.query('DELETE FROM app_logos WHERE app_id = $1', [appId]);
    return;
  }
  await tx.query(
    `INSERT INTO app_logos (app_id, digest, png) VALUES ($1, $2, $3)
     ON CONFLICT (app_id) DO UPDATE SET digest = EXCLUDED.digest, png = EXCLUDED.png`,
    [appId, logo.digest, logo.png],
  );
}
