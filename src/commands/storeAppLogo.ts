import { appLogos } from '../../entities/AppLogoEntity.js';
import type { Transaction } from '../database/Transaction.js';
import type { EncodedLogo } from './encodeLogo.js';

/**
 * Replaces the app's picture; null removes it. The app's row, which the caller has locked, contains its
 * digest.
 */
export async function storeAppLogo(tx: Transaction, appId: string, logo: EncodedLogo | null): Promise<void> {
  await appLogos.delete(tx, { app_id: appId });
  if (logo !== null) await appLogos.insert(tx, { app_id: appId, ...logo });
}
