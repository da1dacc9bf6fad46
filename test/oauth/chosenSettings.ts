import { setPreferences } from '../../src/accounts/accountSettings.js';
import type { OauthHarness } from './OauthHarness.js';

/** What an account has of which nobody chose anything, on a visit in English. */
export const SETTINGS_OF_NOBODY = {
  locale: 'en',
  locale_chosen: false,
  time_zone: null,
  approval_notices: true,
};

/** Chooses something else than the default in every respect. */
export function chooseSettings(harness: OauthHarness, accountId: string): Promise<void> {
  const preferences = { locale: 'de', timeZone: 'Pacific/Apia', approvalNotices: false } as const;
  return setPreferences(harness.node.services, accountId, preferences);
}

export async function settingsOf(harness: OauthHarness, accountId: string): Promise<unknown> {
  const wanted = Object.keys(SETTINGS_OF_NOBODY).join(', ');
  const [row] = await harness.sql(`SELECT ${wanted} FROM accounts WHERE account_id = $1`, [accountId]);
  return row;
}
