import { createInterface } from 'node:readline';
import { parseArgs } from 'node:util';
import { Partner } from '../demo/Partner.js';
import { WebhookListener } from '../demo/WebhookListener.js';
import { keptDemo } from '../oauth/ensureDemo.js';

const USAGE = `npm run webhooks:listen -- [--forward http://localhost:3000/hook] [--events consent.revoked,profile.updated]

Shows the webhooks of an app as they come, verifies them and hands them on. The app is the demo app of the service that
runs here, or that of CLIENT_ID and CLIENT_SECRET. Type the number of a delivery to have it sent again; Ctrl-C ends.`;

/** `npm run webhooks:listen`: a receiver on this machine for as long as it runs. */
async function main(): Promise<void> {
  const { values } = parseArgs({
    options: { forward: { type: 'string' }, events: { type: 'string' }, url: { type: 'string' } },
  });
  const url = values.url ?? process.env['API'] ?? `http://localhost:${process.env['PORT'] ?? 4000}`;
  const partner = new Partner(url, () => undefined);
  await partner.signIn(...credentials(), ['webhooks:read', 'webhooks:write']);
  const events = values.events?.split(',') ?? ['*'];
  const forward = values.forward === undefined ? undefined : new URL(values.forward);
  const listener = await WebhookListener.open(partner, { events, forward, tell: console.log });
  console.log(`Listening for ${events.join(', ')}${forward ? `, forwarding to ${forward.href}` : ''} …`);
  const lines = createInterface({ input: process.stdin });
  lines.on('line', (line) => void listener.redeliver(Number(line)));
  const end = async (): Promise<void> => {
    lines.close();
    await listener.close();
  };
  process.once('SIGINT', () => void end());
  process.once('SIGTERM', () => void end());
}

function credentials(): [clientId: string, clientSecret: string] {
  const { CLIENT_ID, CLIENT_SECRET, DATA_DIR = '.data' } = process.env;
  if (CLIENT_ID && CLIENT_SECRET) return [CLIENT_ID, CLIENT_SECRET];
  const demo = keptDemo(DATA_DIR);
  if (demo === undefined)
    throw new Error('Start the service first (npm start), or set CLIENT_ID and CLIENT_SECRET.');
  return [demo.appId, demo.clientSecret];
}

try {
  await main();
} catch (error) {
  console.error(`${error instanceof Error ? error.message : String(error)}\n\n${USAGE}`);
  process.exitCode = 1;
}
