import { expect } from 'chai';
import { apps } from '../../entities/AppEntity.js';
import { accountSessions } from '../../entities/AccountSessionEntity.js';
import { connectionLinks } from '../../entities/ConnectionLinkEntity.js';
import { after, anyOf, IS_NULL, not } from '../../entities/Table.js';
import type { Runner } from '../../entities/Table.js';

/** Keeps the statements that it is given, and answers each with the same rows. */
function recorder(answer: readonly Record<string, unknown>[] = []) {
  const sent: [text: string, values: readonly unknown[]][] = [];
  const runner: Runner = {
    query<T extends object>(text: string, values: readonly unknown[] = []) {
      sent.push([text, values]);
      return Promise.resolve(answer as T[]);
    },
  };
  return { runner, sent };
}

describe('a table of an entity', () => {
  it('inserts the columns that are given, JSON as text, and leaves out what is undefined', async () => {
    const { runner, sent } = recorder();
    await apps.insert(runner, { app_id: 'app_1', name: undefined, older_secrets: [], redirect_uris: ['a'] });
    expect(sent).to.deep.equal([
      ['INSERT INTO apps (app_id, older_secrets, redirect_uris) VALUES ($1, $2, $3)', ['app_1', '[]', ['a']]],
    ]);
  });

  it('numbers the values of a change before those of its condition', async () => {
    const { runner, sent } = recorder([{}]);
    const count = await connectionLinks.update(
      runner,
      { session_id: 'cs_1', redeemed_at: IS_NULL, token_hash: 'h' },
      { browser_hash: null },
    );
    expect(count).to.equal(1);
    expect(sent).to.deep.equal([
      [
        'UPDATE connection_links SET browser_hash = $1' +
          ' WHERE session_id = $2 AND redeemed_at IS NULL AND token_hash = $3 RETURNING 1',
        [null, 'cs_1', 'h'],
      ],
    ]);
  });

  it('compares with other operators than equality', async () => {
    const { runner, sent } = recorder();
    const now = new Date(0);
    const where = { account_id: anyOf(['acc_1']), token_hash: not('h'), expires_at: after(now) };
    await accountSessions.findAll(runner, ['address'], where, 'ORDER BY created_at');
    expect(sent).to.deep.equal([
      [
        'SELECT address FROM account_sessions' +
          ' WHERE account_id = ANY ($1) AND token_hash <> $2 AND expires_at > $3 ORDER BY created_at',
        [['acc_1'], 'h', now],
      ],
    ]);
  });

  it('returns no column that the entity does not select', () => {
    expect(apps.columns).to.include('granted_scopes').and.not.include('client_secret_hash');
  });

  it('refuses a condition without a value, and a statement without a condition', async () => {
    const { runner, sent } = recorder();
    const forgotten = { account_id: undefined } as unknown as { account_id: string };
    for (const where of [forgotten, { account_id: null } as unknown as typeof forgotten, {}]) {
      await rejected(() => accountSessions.delete(runner, where));
      await rejected(() => accountSessions.update(runner, where, { address: null }));
      await rejected(() => Promise.resolve(accountSessions.findAll(runner, ['address'], where)));
    }
    expect(sent).to.deep.equal([]);
  });
});

async function rejected(run: () => Promise<unknown>): Promise<void> {
  const error: unknown = await Promise.resolve()
    .then(run)
    .catch((thrown: unknown) => thrown);
  expect(error).to.be.instanceOf(TypeError).with.property('message').that.includes('condition');
}
