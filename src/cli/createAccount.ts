import { apps } from '../../entities/AppEntity.js';
import { notFound } from '../errors.js';
import { randomBytes } from 'node:crypto';
import type { JsonObject } from '../domain/jsonValue.js';
import { addMember, requireScopeNames } from '../accounts/addMember.js';
import { createAccount } from '../accounts/createAccount.js';
import { operate } from './operate.js';
import { required } from './runProgram.js';
import { readPassword } from './readPassword.js';
import { scopesOf } from './scopesOf.js';

const USAGE = `npm run account:create -- --email ADDRESS [--app APP_ID [--scopes "customers:read"]]
  [--generate] [--reset-password]

  --app             makes the account a member of the app
  --scopes          what the member may do; all that the app may when absent
  --generate        makes up a password and prints it once
  --reset-password  gives an existing account a new password and ends its sessions and tokens

The password is read from the environment variable ACCOUNT_PASSWORD, from a pipe, or asked for.`;

await operate({
  words: 'account create',
  usage: USAGE,
  options: {
    email: { type: 'string' },
    app: { type: 'string' },
    scopes: { type: 'string' },
    generate: { type: 'boolean' },
    'reset-password': { type: 'boolean' },
  },
  async run(database, options, clock) {
    const email = required(options, 'email');
    const membership = scopesOf(options);
    requireScopeNames(membership.scopes);
    const generated = options['generate'] === true ? randomBytes(15).toString('base64url') : undefined;
    const password = generated ?? (await readPassword());
    const now = clock();
    const appId = options['app'];
    if (typeof appId === 'string' && !(await apps.has(database, { app_id: appId }))) throw notFound('app');
    const account = { email, password, resetPassword: options['reset-password'] === true };
    const { accountId } = await createAccount(database, account, now);
    const data: JsonObject = { email, account_id: accountId };
    const done = [`Account ${email} (${accountId}) is ready.`];
    if (generated !== undefined) {
      done.push(`Its password, shown this once: ${generated}`);
      data['password'] = generated;
    }
    if (typeof appId === 'string') {
      const { scopes } = await addMember(database, { appId, email, ...membership }, now);
      done.push(`It is a member of ${appId} with: ${scopes.join(' ')}`);
      Object.assign(data, { app_id: appId, scopes: [...scopes] });
    }
    return { text: done.join('\n'), data };
  },
});
