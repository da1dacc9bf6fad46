import { removeMember } from '../accounts/removeMember.js';
import { operate } from './operate.js';
import { required } from './runProgram.js';

const USAGE = `npm run member:remove -- --email ADDRESS --app APP_ID

Ends a membership and every token that the member has for the app, within a second on every node.`;

await operate({
  words: 'member remove',
  usage: USAGE,
  options: { email: { type: 'string' }, app: { type: 'string' } },
  async run(database, options) {
    const [email, appId] = [required(options, 'email'), required(options, 'app')];
    await removeMember(database, { appId, email });
    return { text: `${email} is no member of ${appId} any more.`, data: { email, app_id: appId } };
  },
});
