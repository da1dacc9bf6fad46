export const SECRET_COLUMNS = [
  'client_secret_hash',
  'previous_secret_hash',
  'previous_secret_expires_at',
  'older_secrets',
] as const;

/** A rotated secret, valid until its own expiry. */
export interface FormerSecret {
  hash: string;
  /** RFC 3339 in UTC with milliseconds. */
  expires_at: string;
}

/**
 * The newest former secret has separate columns, so that nodes of the previous version read it during a
 * rolling update.
 */
export interface SecretColumns {
  client_secret_hash: string | null;
  previous_secret_hash: string | null;
  previous_secret_expires_at: string | null;
  older_secrets: readonly FormerSecret[];
}

/** The former secrets that are valid at `now`, newest first. */
export function formerSecrets(app: SecretColumns, now: Date): FormerSecret[] {
  const { previous_secret_hash: hash, previous_secret_expires_at: expiresAt } = app;
  const previous = hash === null || expiresAt === null ? [] : [{ hash, expires_at: expiresAt }];
  return [...previous, ...app.older_secrets].filter((former) => former.expires_at > now.toISOString());
}

/** The hashes of all secrets that are valid at `now`, the current one first. */
export function secretHashes(app: SecretColumns, now: Date): string[] {
  const present = app.client_secret_hash === null ? [] : [app.client_secret_hash];
  return [...present, ...formerSecrets(app, now).map(({ hash }) => hash)];
}
