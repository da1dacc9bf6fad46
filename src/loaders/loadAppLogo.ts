import type { Database } from '../database/Database.js';

interface LogoRow {
  png: Buffer;
}

/** The logo of an active app; undefined if it has changed. */
export async function loadAppLogo(
  database: Database,
  appId: string,
  digest: string,
): Promise<Buffer | undefined> {
  const [row] = await database.read<LogoRow>(LOGO, [appId, digest]);
  return row?.png;
}

const LOGO = {
  name: 'app_logo',
  text: `SELECT l.png FROM app_logos l JOIN apps a USING (app_id)
          WHERE l.app_id = $1 AND l.digest = $2 AND a.status = 'active'`,
};
