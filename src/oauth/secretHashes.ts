/** The columns of `apps` with an app's client secrets. */
export const SECRET_COLUMNS = 'client_secret_hash, previous_secret_hash, previous_secret_expires_at';

export interface SecretColumns {
  client_secret_hash: string | null;
  previous_secret_hash: string | null;
  previous_secret_expires_at: string | null;
}

/** The hashes of the secrets that are good now: the present one and, for 24 hours after a rotation, the one before. */
export function secretHashes(app: SecretColumns, now: Date): string[] {
  const overlaps = app.previous_secret_expires_at !== null && app.previous_secret_expires_at > now.toISOString();
  const hashes = [app.client_secret_hash, overlaps ? app.previous_secret_hash : null];
  return hashes.filter((hash) => hash !== null);
}
