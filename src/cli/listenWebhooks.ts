import { createInterface } from 'node:readline';
import { configFrom, dataDirOf, settingOf } from '../config.js';
import { Partner } from '../demo/Partner.js';
import { WebhookListener } from '../demo/WebhookListener.js';
import { ServiceError } from '../errors.js';
import { keptDemo } from '../demo/ensureDemo.js';
import { print } from './output.js';
import { runProgram } from './runProgram.js';
import type { Options } from './runProgram.js';

const USAGE = `npm run webhooks:listen -- [--forward http://localhost:3000/hook] [--events consent.revoked]

Shows the webhooks of an app as they arrive, verifies them and forwards them. The app is the demo app of the
service that runs here, or that of CLIENT_ID and CLIENT_SECRET. --events takes types separated by commas. Type
the number of a delivery to have it sent again; Ctrl-C ends. With --json each delivery is a line of JSON.
They come from an endpoint that exists until then; with --forward its signing secret is shown first.`;

await runProgram({
  usage: USAGE,
  options: { forward: { type: 'string' }, events: { type: 'string' }, url: { type: 'string' } },
  async run(options, tell, asJson) {
    const { PORT } = process.env;
    const url = textOf(options, 'url') ?? settingOf(process.env, 'API') ?? configFrom({ PORT }).baseUrl;
    const partner = new Partner(url, () => undefined);
    await partner.signIn(...credentials(), ['webhooks:read', 'webhooks:write']);
    const events = textOf(options, 'events')?.split(',') ?? ['*'];
    const target = textOf(options, 'forward');
    const forward = target === undefined ? undefined : new URL(target);
    const show = (line: string, event: object): void => print(asJson ? JSON.stringify(event) : line);
    // Signals are heeded before the endpoint exists, so that it is always removed.
    const end = ended();
    const listener = await WebhookListener.open(partner, { events, forward, tell: show });
    if (forward) tell(`For the program that verifies them: export WEBHOOK_SECRET=${listener.signingSecret}`);
    tell(`Listening for ${events.join(', ')}${forward ? `, forwarding to ${forward.href}` : ''} …`);
    // Numbers of deliveries are typed.
    const lines = createInterface({ input: process.stdin });
    lines.on('line', (line) => void listener.redeliver(Number(line)));
    await end;
    lines.close();
    await listener.close();
    return undefined;
  },
});

/** Resolves at SIGINT or SIGTERM, or when nobody can see what is shown. */
function ended(): Promise<unknown> {
  return new Promise((resolve) => {
    // Not `once`: Ctrl-C arrives twice, from the terminal and from npm, and must not end the removal.
    process.on('SIGINT', resolve);
    process.on('SIGTERM', resolve);
    process.stdout.once('error', resolve);
  });
}

function textOf(options: Options, name: string): string | undefined {
  const value = options[name];
  return typeof value === 'string' ? value : undefined;
}

function credentials(): [clientId: string, clientSecret: string] {
  const [id, secret] = [settingOf(process.env, 'CLIENT_ID'), settingOf(process.env, 'CLIENT_SECRET')];
  if (id !== undefined && secret !== undefined) return [id, secret];
  const demo = keptDemo(dataDirOf(process.env));
  if (demo === undefined)
    throw new ServiceError(
      'unavailable',
      'Start the service first (npm start), or set CLIENT_ID and CLIENT_SECRET.',
    );
  return [demo.appId, demo.clientSecret];
}
