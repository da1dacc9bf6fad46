import { configFrom, dataDirOf } from '../config.js';
import { keptDemo } from '../demo/ensureDemo.js';
import { makeDemoData } from '../demo/makeDemoData.js';
import { Partner } from '../demo/Partner.js';
import { ALL_SCOPES } from '../domain/scopes.js';
import { ServiceError } from '../errors.js';
import { keptSecrets } from '../start/keptSecrets.js';
import { runProgram } from './runProgram.js';

const USAGE = `npm run demo:data -- [--customers 1000] [--url http://localhost:4000]

Fills the demo app of a running development service with believable data.`;

await runProgram({
  usage: USAGE,
  options: { customers: { type: 'string' }, url: { type: 'string' } },
  async run(options, tell) {
    const { BASE_URL, PORT } = process.env;
    const url = String(options['url'] ?? configFrom({ BASE_URL, PORT }).baseUrl);
    const customers = Number(options['customers'] ?? 1000);
    if (!Number.isInteger(customers) || customers < 1)
      throw new TypeError('--customers is a whole number, 1 or more.');
    const { partner, adminKey, email } = await demoApp(url);
    tell(`Filling the demo app at ${url} …`);
    const onProgress = (done: string): void => tell(`  ${done}`);
    const made = await makeDemoData(partner, { adminKey, customers, now: new Date(), onProgress });
    const text =
      `Done: ${made.customers} customers, ${made.claims} claims, ${made.events} events, ${made.revoked} withdrawals.\n` +
      `Look at ${url}/dashboard and ${url}/graphiql; sign in as ${email} with the password that npm start printed.`;
    return { text, data: { ...made } };
  },
});

async function demoApp(url: string): Promise<{ partner: Partner; adminKey: string; email: string }> {
  const dataDir = dataDirOf(process.env);
  const demo = keptDemo(dataDir);
  if (demo === undefined || !(await isUp(url)))
    throw new ServiceError(
      'unavailable',
      `No development service runs at ${url} with its data in ${dataDir}. Start one: npm start`,
    );
  const partner = new Partner(url, () => undefined);
  await partner.signIn(
    demo.appId,
    demo.clientSecret,
    ALL_SCOPES.filter((scope) => scope !== 'offline_access'),
  );
  const given = configFrom({ ADMIN_KEYS: process.env['ADMIN_KEYS'] }).secrets.adminKeys;
  const [adminKey = ''] = given.length > 0 ? given : (await keptSecrets(dataDir)).adminKeys;
  return { partner, adminKey, email: demo.email };
}

/** Asks what is always at the service's own port. */
async function isUp(url: string): Promise<boolean> {
  return fetch(`${url}/.well-known/oauth-authorization-server`).then(
    ({ ok }) => ok,
    () => false,
  );
}
