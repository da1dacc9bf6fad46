import type { Adapter, AdapterPayload } from 'oidc-provider';
import { errors } from './oidcProvider.js';
import { FOREIGN_KEY_VIOLATION, sqlState } from '../database/sqlState.js';
import type { SecretBox } from '../domain/SecretBox.js';
import { hashSecretToken } from '../domain/secretToken.js';
import type { Reader } from './oauthReader.js';

const FIND = `SELECT payload, consumed_at, extract(epoch FROM expires_at - now()) AS left_seconds
  FROM oauth_artifacts WHERE kind = $1 AND expires_at > now() AND`;

interface FoundRow {
  payload: string;
  consumed_at: string | null;
  left_seconds: number;
}

/**
 * oidc-provider's storage of one kind of artifact in `oauth_artifacts`. Ids (tokens, codes and session ids)
 * are stored only as hashes. The rest of the payload is sealed because it may contain other ids.
 */
export class ArtifactAdapter implements Adapter {
  constructor(
    private readonly kind: string,
    private readonly database: Reader,
    private readonly secrets: SecretBox,
  ) {}

  async upsert(id: string, payload: AdapterPayload, expiresInSeconds?: number): Promise<void> {
    const { jti: _id, ...rest } = payload;
    const lifetimeSeconds = expiresInSeconds ?? 0;
    try {
      await this.database.read(UPSERT, [
        hashSecretToken(id),
        this.kind,
        payload.clientId ?? null,
        ACCOUNT_KINDS.has(this.kind) ? (payload.accountId ?? null) : null,
        payload.grantId === undefined || !FAMILY_KINDS.has(this.kind)
          ? null
          : hashSecretToken(payload.grantId),
        payload.uid === undefined ? null : hashSecretToken(payload.uid),
        typeof payload['scope'] === 'string' ? payload['scope'] : null,
        this.secrets.seal(JSON.stringify(rest)),
        lifetimeSeconds,
      ]);
    } catch (error) {
      if (sqlState(error) !== FOREIGN_KEY_VIOLATION) throw error;
      // Its account was just deleted. The answer is made by now, and the page it leads to finds no session.
      if (this.kind === 'Session') return;
      throw new errors.InvalidGrant('grant not found');
    }
  }

  async find(id: string): Promise<AdapterPayload | undefined> {
    const found = await this.findWhere('id_hash', hashSecretToken(id));
    return found === undefined ? undefined : { ...found, jti: id };
  }

  /** Sessions only. The stored payload has no `jti`, so a session found by uid is read-only. */
  async findByUid(uid: string): Promise<AdapterPayload | undefined> {
    return this.findWhere('uid_hash', hashSecretToken(uid));
  }

  async findByUserCode(): Promise<undefined> {
    return undefined;
  }

  /**
   * Marks a code or refresh token as used, atomically. If two requests on any nodes use it at once, the
   * second ends the whole family, as reuse must (OAuth 2.1, 4.3.1).
   */
  async consume(id: string): Promise<void> {
    const [row] = await this.database.read<{ family: string | null }>(CONSUME, [hashSecretToken(id)]);
    if (row !== undefined) return;
    await this.database.read(END_FAMILY, [hashSecretToken(id)]);
    throw new errors.InvalidGrant('already used');
  }

  async destroy(id: string): Promise<void> {
    await this.database.read(DESTROY, [hashSecretToken(id), this.kind]);
  }

  async revokeByGrantId(grantId: string): Promise<void> {
    await this.database.read(REVOKE_GRANT, [hashSecretToken(grantId)]);
  }

  private async findWhere(
    column: 'id_hash' | 'uid_hash',
    value: string,
  ): Promise<AdapterPayload | undefined> {
    const query = { name: `oauth_find_${column}`, text: `${FIND} ${column} = $2` };
    const [row] = await this.database.read<FoundRow>(query, [this.kind, value]);
    if (row === undefined) return undefined;
    const payload = JSON.parse(this.secrets.open(row.payload)) as AdapterPayload;
    if (this.kind === 'AuthorizationCode') payload.exp = Math.ceil(Date.now() / 1000 + row.left_seconds);
    return row.consumed_at === null
      ? payload
      : { ...payload, consumed: Math.floor(Date.parse(row.consumed_at) / 1000) };
  }
}

/**
 * Artifacts that are deleted with their account. An interaction may name an account that does not exist yet.
 */
const ACCOUNT_KINDS = new Set(['AccessToken', 'AuthorizationCode', 'RefreshToken', 'Grant', 'Session']);

/** Artifacts that are deleted with their grant. */
const FAMILY_KINDS = new Set(['AccessToken', 'AuthorizationCode', 'RefreshToken']);

const UPSERT = {
  name: 'oauth_upsert',
  text: `INSERT INTO oauth_artifacts
           (id_hash, kind, app_id, account_id, grant_hash, uid_hash, scope, payload, issued_at, expires_at)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, now(),
         date_trunc('milliseconds', now()) + make_interval(secs => $9))
         ON CONFLICT (id_hash) DO UPDATE SET
           account_id = excluded.account_id, scope = excluded.scope, payload = excluded.payload,
           expires_at = excluded.expires_at`,
};

const CONSUME = {
  name: 'oauth_consume',
  text: `UPDATE oauth_artifacts SET consumed_at = now() WHERE id_hash = $1 AND consumed_at IS NULL
    RETURNING id_hash`,
};

const END_FAMILY = {
  name: 'oauth_end_family',
  text: `DELETE FROM oauth_artifacts WHERE id_hash = (SELECT grant_hash FROM oauth_artifacts
    WHERE id_hash = $1)`,
};

const DESTROY = {
  name: 'oauth_destroy',
  text: `DELETE FROM oauth_artifacts WHERE id_hash = $1 AND kind = $2`,
};

const REVOKE_GRANT = { name: 'oauth_revoke_grant', text: `DELETE FROM oauth_artifacts WHERE id_hash = $1` };
