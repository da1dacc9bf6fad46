import { ADMIN_SCOPE } from '../commands/CommandContext.js';
import { resealSecrets } from '../commands/resealSecrets.js';
import { dropLogins, refuseUnusedKey } from '../database/dropLogins.js';
import { SecretBox } from '../domain/SecretBox.js';
import { allApps } from '../database/allApps.js';
import { operate } from './operate.js';
import { secretsKeysOf } from './secretBoxOf.js';

const USAGE = `npm run secrets:reseal [-- --drop-logins]

Encrypts every stored secret with the first key of SECRETS_KEY, which some process must have been started
with. The other keys decrypt what they encrypted. It may be killed, run again, or run beside the service. It
fails while anything is left under another key. With --drop-logins it drops the database logins of keys that
SECRETS_KEY does not name: use it only when no process runs with such a key.`;

await operate({
  words: 'secrets reseal',
  usage: USAGE,
  options: { 'drop-logins': { type: 'boolean' } },
  async run(database, options) {
    const [first, ...others] = await secretsKeysOf(process.env);
    await refuseUnusedKey(database, first);
    const scopes = [...(await allApps(database)), ADMIN_SCOPE];
    const tell = (progress: string): void => console.error(progress);
    const { sealed, unreadable, left } = await resealSecrets(
      database,
      new SecretBox(first, others),
      scopes,
      tell,
    );
    const said = [`${sealed} sealed anew.`];
    if (unreadable > 0)
      said.push(
        `${unreadable} open under none of the keys and were left: SECRETS_KEY must name their key too.`,
      );
    if (left > 0)
      said.push(`${left} are left: processes still seal under another key. Run it again when they ended.`);
    if (unreadable + left > 0) process.exitCode = 1;
    const mayDrop = options['drop-logins'] === true && unreadable + left === 0;
    const dropped = mayDrop ? await dropLogins(database, [first, ...others]) : [];
    if (mayDrop) said.push(toldOf(dropped));
    return { text: said.join('\n'), data: { sealed, unreadable, left, dropped_logins: dropped } };
  },
});

function toldOf(dropped: readonly string[]): string {
  return dropped.length === 0 ? 'There is no login of another key.' : `Dropped: ${dropped.join(', ')}.`;
}
