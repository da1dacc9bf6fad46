// Loads claims from a file of JSON lines: batches of 500, a few at a time, progress kept beside the file.
// Killed at any point, it goes on where it was; a batch that was sent twice is stored once, as its
// idempotency key is made of its place, its content and how often it was answered. Run it again when lines
// were added or mended, or when consent was given: it sends what is new, and what was rejected under a new
// key, as the old one replays the rejection for 24 hours. A batch of which lines that were accepted changed
// or moved is sent whole.
import { createHash } from 'node:crypto';
import { createReadStream, existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { createInterface } from 'node:readline';

const { API = 'http://localhost:4000', CLIENT_ID = '', CLIENT_SECRET = '' } = process.env;
const [file] = process.argv.slice(2);
if (file === undefined) throw new Error('Usage: node main.mjs CLAIMS.jsonl');

const BATCH = 500;
const PARALLEL = 4;
const progressFile = `${file}.progress`;
const NOTHING = { size: 0, hash: hashOf([]), rejected: [], answers: 0 };
/**
 * Of each batch: how many of its claims were answered, the hash of the accepted ones, the rejected ones, and
 * how many answers it has had.
 */
const { batches: answered = [] } = existsSync(progressFile)
  ? JSON.parse(readFileSync(progressFile, 'utf8'))
  : {};

let token;
let total = 0;
const running = new Set();
const lines = [];
for await (const [index, claims, numbers] of batches()) {
  total += claims.length;
  lines.push(numbers);
  const unsent = unsentOf(index, claims);
  if (unsent.length === 0) continue;
  const work = load(index, claims, unsent).finally(() => running.delete(work));
  running.add(work);
  if (running.size >= PARALLEL) await Promise.race(running);
}
await Promise.all(running);
answered.length = lines.length;
keepProgress();
const rejected = answered.flatMap((batch, index) =>
  batch.rejected.map(({ at, error }) => ({ line: lines[index][at], error })),
);
console.log(`${countAccepted()} of ${total} claims accepted, ${rejected.length} rejected`);
for (const { line, error } of rejected.slice(0, 20)) {
  console.log(`line ${line}: ${error.code} ${error.message}`);
  for (const { field, message } of error.details ?? [])
    console.log(`  ${field === undefined ? '' : `${field}: `}${message}`);
}

/** The claims of the file with the numbers of their lines. Blank lines are passed over. */
async function* batches() {
  let index = 0;
  let number = 0;
  let claims = [];
  let numbers = [];
  for await (const line of createInterface({ input: createReadStream(file) })) {
    number += 1;
    if (line.trim() === '') continue;
    claims.push(JSON.parse(line));
    numbers.push(number);
    if (claims.length < BATCH) continue;
    yield [index++, claims, numbers];
    claims = [];
    numbers = [];
  }
  if (claims.length > 0) yield [index, claims, numbers];
}

/** The places in a batch that are to be sent: new and rejected ones, or all if accepted ones changed. */
function unsentOf(index, claims) {
  const { size, hash, rejected, answers = 0 } = answered[index] ?? NOTHING;
  const places = [...claims.keys()];
  const refused = new Set(rejected.map(({ at }) => at));
  if (hashOf(claims.filter((_, at) => at < size && !refused.has(at))) !== hash) {
    answered[index] = { ...NOTHING, answers };
    return places;
  }
  const present = rejected.filter(({ at }) => at < claims.length);
  answered[index] = { size: Math.min(size, claims.length), hash, rejected: present, answers };
  return places.filter((at) => at >= size || refused.has(at));
}

async function load(index, claims, unsent) {
  const { answers } = answered[index];
  const body = { claims: unsent.map((at) => claims[at]) };
  const attempt = answers === 0 ? '' : `-${answers}`;
  const { data, isReplay } = await send(JSON.stringify(body), `bulk-${index}-${hashOf(body)}${attempt}`);
  const rejected = data
    .filter(({ status }) => status === 'rejected')
    .map(({ index: place, error }) => ({ at: unsent[place], error }));
  const refused = rejected.map(({ at }) => at);
  const hash = hashOf(claims.filter((_, at) => !refused.includes(at)));
  answered[index] = { size: claims.length, hash, rejected, answers: answers + 1 };
  keepProgress();
  console.log(`batch ${index + 1}: ${countAccepted()} accepted so far`);
  // Rejections that a former run was given, and was killed before it kept them.
  if (isReplay && refused.length > 0) await load(index, claims, refused);
}

function countAccepted() {
  return answered.reduce((sum, batch) => sum + (batch ? batch.size - batch.rejected.length : 0), 0);
}

function hashOf(value) {
  return createHash('sha256').update(JSON.stringify(value)).digest('hex').slice(0, 32);
}

async function send(body, key) {
  for (;;) {
    const response = await fetch(`${API}/v1/claims/batch`, {
      method: 'POST',
      headers: {
        Authorization: `Bearer ${await accessToken()}`,
        'Content-Type': 'application/json',
        'Idempotency-Key': key,
      },
      body,
    }).catch(() => undefined);
    if (response?.status === 202) {
      const { data } = await response.json();
      return { data, isReplay: response.headers.has('idempotent-replayed') };
    }
    if (response !== undefined && ![409, 429, 500, 503].includes(response.status))
      throw new Error(`${response.status}: ${await response.text()}`);
    await new Promise((resolve) =>
      setTimeout(resolve, Number(response?.headers.get('retry-after') ?? 1) * 1000),
    );
  }
}

/** Written apart and renamed: a kill leaves the old progress or the new, never half of one. */
function keepProgress() {
  writeFileSync(`${progressFile}.new`, JSON.stringify({ batches: answered }));
  renameSync(`${progressFile}.new`, progressFile);
}

async function accessToken() {
  if (token !== undefined && token.endsAt > Date.now() + 60_000) return token.value;
  const credentials = Buffer.from(`${CLIENT_ID}:${CLIENT_SECRET}`).toString('base64');
  const response = await fetch(`${API}/oauth/token`, {
    method: 'POST',
    headers: { Authorization: `Basic ${credentials}` },
    body: new URLSearchParams({ grant_type: 'client_credentials' }),
  });
  if (!response.ok) throw new Error(`No access token: ${response.status} ${await response.text()}`);
  const { access_token, expires_in } = await response.json();
  token = { value: access_token, endsAt: Date.now() + expires_in * 1000 };
  return access_token;
}
