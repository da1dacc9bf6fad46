// Loads claims from a file of JSON lines: batches of 500, a few at a time, progress kept beside the file.
// Killed at any point, it goes on where it was; a batch that was sent twice is stored once, as its
// idempotency key is made of its place.
import { createHash } from 'node:crypto';
import { createReadStream, existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { createInterface } from 'node:readline';

const { API = 'http://localhost:4000', CLIENT_ID = '', CLIENT_SECRET = '' } = process.env;
const [file] = process.argv.slice(2);
if (file === undefined) throw new Error('Usage: node main.mjs CLAIMS.jsonl');

const BATCH = 500;
const PARALLEL = 4;
const progressFile = `${file}.progress`;
const progress = existsSync(progressFile)
  ? JSON.parse(readFileSync(progressFile, 'utf8'))
  : { done: [], accepted: 0, rejected: [] };
const done = new Set(progress.done);

let token;
let total = 0;
const running = new Set();
for await (const [index, claims] of batches()) {
  total += claims.length;
  if (done.has(index)) continue;
  const work = load(index, claims).finally(() => running.delete(work));
  running.add(work);
  if (running.size >= PARALLEL) await Promise.race(running);
}
await Promise.all(running);
console.log(`${progress.accepted} of ${total} claims accepted, ${progress.rejected.length} rejected`);
for (const { line, error } of progress.rejected.slice(0, 20))
  console.log(`line ${line}: ${error.code} ${error.message}`);

async function* batches() {
  let index = 0;
  let batch = [];
  for await (const line of createInterface({ input: createReadStream(file) })) {
    if (line.trim() === '') continue;
    batch.push(JSON.parse(line));
    if (batch.length < BATCH) continue;
    yield [index++, batch];
    batch = [];
  }
  if (batch.length > 0) yield [index, batch];
}

async function load(index, claims) {
  const body = JSON.stringify({ claims });
  const key = `bulk-${index}-${createHash('sha256').update(body).digest('hex').slice(0, 32)}`;
  const answer = await send(body, key);
  progress.accepted += answer.accepted;
  for (const item of answer.data)
    if (item.status === 'rejected')
      progress.rejected.push({ line: index * BATCH + item.index + 1, error: item.error });
  done.add(index);
  keepProgress();
  console.log(`batch ${index + 1}: ${progress.accepted} accepted so far`);
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
    if (response?.status === 202) return response.json();
    if (response !== undefined && ![409, 429, 500, 503].includes(response.status))
      throw new Error(`${response.status}: ${await response.text()}`);
    await new Promise((resolve) =>
      setTimeout(resolve, Number(response?.headers.get('retry-after') ?? 1) * 1000),
    );
  }
}

/** Written apart and renamed: a kill leaves the old progress or the new, never half of one. */
function keepProgress() {
  writeFileSync(`${progressFile}.new`, JSON.stringify({ ...progress, done: [...done] }));
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
