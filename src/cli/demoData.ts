import { parseArgs } from 'node:util';
import { keptDemo } from '../oauth/ensureDemo.js';
import { makeDemoData } from '../demo/makeDemoData.js';
import { Partner } from '../demo/Partner.js';
import { ALL_SCOPES } from '../domain/scopes.js';
import { keptSecrets } from '../keptSecrets.js';

const USAGE = 'Usage: npm run demo:data [-- --customers 1000] [--url http://localhost:4000]';

/** `npm run demo:data`: fills the demo app of a running development service with believable data. */
async function main(): Promise<void> {
  const { values } = parseArgs({ options: { customers: { type: 'string' }, url: { type: 'string' } } });
  const url = values.url ?? process.env['BASE_URL'] ?? `http://localhost:${process.env['PORT'] ?? 4000}`;
  const customers = Number(values.customers ?? 1000);
  if (!Number.isInteger(customers) || customers < 1)
    throw new TypeError(`--customers is a whole number. ${USAGE}`);
  const dataDir = process.env['DATA_DIR'] ?? '.data';
  const demo = keptDemo(dataDir);
  if (demo === undefined || !(await isUp(url)))
    throw new Error(
      `No development service runs at ${url} with its data in ${dataDir}. Start one: npm start`,
    );
  const partner = new Partner(url, () => undefined);
  await partner.signIn(
    demo.appId,
    demo.clientSecret,
    ALL_SCOPES.filter((scope) => scope !== 'offline_access'),
  );
  const adminKey =
    process.env['ADMIN_KEYS']?.split(',')[0] ?? (await keptSecrets(dataDir)).adminKeys[0] ?? '';
  const onProgress = (done: string): void => console.log(`  ${done}`);
  console.log(`Filling the demo app at ${url} …`);
  const made = await makeDemoData(partner, { adminKey, customers, now: new Date(), onProgress });
  console.log(
    `Done: ${made.customers} customers, ${made.claims} claims, ${made.events} events, ${made.revoked} withdrawals.\n` +
      `Look at ${url}/dashboard and ${url}/graphiql; sign in as ${demo.email} with the password that npm start printed.`,
  );
}

async function isUp(url: string): Promise<boolean> {
  return fetch(`${url}/healthz`).then(
    ({ ok }) => ok,
    () => false,
  );
}

try {
  await main();
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
