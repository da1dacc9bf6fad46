import { oauthArtifacts } from '../../entities/OauthArtifactEntity.js';
import type { Database } from '../database/Database.js';
import { normalizedEmail } from '../domain/normalizedEmail.js';
import { ServiceError } from '../errors.js';

/**
 * Ends a membership and deletes everything issued to the member for the app, including refresh tokens.
 *
 * @throws ServiceError when there is no such member
 */
export async function removeMember(
  database: Database,
  member: { appId: string; email: string },
): Promise<void> {
  const email = normalizedEmail(member.email) ?? '';
  await database.transaction(null, async (tx) => {
    const removed = await tx.one<{ account_id: string }>(
      `DELETE FROM app_members m USING accounts a
        WHERE m.app_id = $1 AND m.account_id = a.account_id AND a.email = $2 RETURNING m.account_id`,
      [member.appId, email],
    );
    if (removed === undefined)
      throw new ServiceError('not_found', `${member.email} is not a member of ${member.appId}.`);
    await oauthArtifacts.delete(tx, { app_id: member.appId, ...removed });
  });
}
