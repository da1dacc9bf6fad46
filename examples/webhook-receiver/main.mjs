// Receives webhooks: verifies each, answers at once, and does the work of each message once.
import { createServer } from 'node:http';
import { Webhook } from 'standardwebhooks';

const { WEBHOOK_SECRET, PORT = '3000' } = process.env;
if (!WEBHOOK_SECRET)
  throw new Error('Set WEBHOOK_SECRET to the signing_secret that registration showed once.');

const webhook = new Webhook(WEBHOOK_SECRET);
const MAX_BYTES = 65_536;

/** In production a table with a unique key: it has to outlive the process. */
const seen = new Set();

const server = createServer(async (request, response) => {
  try {
    const message = webhook.verify(await readBody(request), request.headers);
    response.writeHead(204).end();
    const id = request.headers['webhook-id'];
    if (seen.has(id)) return;
    seen.add(id);
    handle(message, request.headers['webhook-sequence']);
  } catch (error) {
    if (!response.headersSent) response.writeHead(400).end();
    console.error(`refused: ${error.message}`);
  }
});

server.listen(Number(PORT), () => console.log(`listening on ${server.address().port}`));

/** The raw body: a signature is over its bytes, not over what they mean. */
async function readBody(request) {
  const chunks = [];
  let size = 0;
  for await (const chunk of request) {
    size += chunk.length;
    if (size > MAX_BYTES) throw new Error('The body is too large.');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString();
}

function handle({ type, data }, sequence) {
  if (type === 'consent.revoked')
    console.log(`${sequence}: stop using ${data.purposes} of ${data.customer_id}`);
  else console.log(`${sequence}: ${type} ${JSON.stringify(data)}`);
}
