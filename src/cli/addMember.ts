import { addMember } from '../accounts/addMember.js';
import { operate } from './operate.js';
import { required } from './runProgram.js';
import { scopesOf } from './scopesOf.js';

const USAGE = `npm run member:add -- --email ADDRESS --app APP_ID [--scopes "customers:read claims:read"]

Makes an account a member of an app, or changes what the member may do. Without --scopes the member may do
all that the app may.`;

await operate({
  words: 'member add',
  usage: USAGE,
  options: { email: { type: 'string' }, app: { type: 'string' }, scopes: { type: 'string' } },
  async run(database, options, clock) {
    const [email, appId] = [required(options, 'email'), required(options, 'app')];
    const { scopes } = await addMember(database, { appId, email, ...scopesOf(options) }, clock());
    return {
      text: `${email} is a member of ${appId} with: ${scopes.join(' ')}`,
      data: { email, app_id: appId, scopes: [...scopes] },
    };
  },
});
