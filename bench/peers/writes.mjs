// Writes by hand on node:http and pg: the rows that the service writes, in as few prepared statements as they
// take. It knows one token and checks no shapes.
import { createHash, randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import { appId, isAllowed, pool, PURPOSES, serve } from './data.mjs';

const KEY = `taken AS (INSERT INTO idempotency_keys (app_id, key, payload_hash, result, created_at)
   VALUES ($1, $2, $3, $4, $5) ON CONFLICT DO NOTHING RETURNING 1)`;

const CUSTOMER = {
  name: 'customer',
  text: `WITH ${KEY}, made AS (
      INSERT INTO customers (app_id, customer_id, external_id, status, profile, metadata, created_at, updated_at)
      SELECT $1, $6, $7, 'active', $8, NULL, $5, $5 FROM taken RETURNING customer_id)
    INSERT INTO customer_heads (app_id, customer_id, changed_at) SELECT $1, customer_id, $5 FROM made`,
};

// $6 customer, $7 purpose, $8 id, $9 payload, $10 kind, $11 workflow, $12 entry, $13 key of the event
const ITEM = {
  name: 'item',
  text: `WITH ${KEY}, head AS (
      UPDATE customer_heads h SET sequence = h.sequence + 1, open_workflow_id = coalesce(h.open_workflow_id, $11)
        FROM taken, apps a WHERE h.app_id = $1 AND h.customer_id = $6 AND a.app_id = $1
         AND ((h.granted_mask & a.allowed_mask) >> $7::integer) & 1 = 1
         AND ($12::text IS NULL OR EXISTS (SELECT FROM entries e WHERE e.app_id = $1 AND e.entry_id = $12))
      RETURNING h.sequence, h.epochs[$7::integer + 1] AS epoch, h.open_workflow_id),
    begun AS (INSERT INTO workflows (app_id, workflow_id, type, status, subject, created_at, updated_at)
      SELECT $1, $11, 'profile_recompute', 'accepted', jsonb_build_object('customer_id', $6::text), $5, $5 FROM head
       WHERE open_workflow_id = $11),
    queued AS (INSERT INTO work_queue (app_id, queue, subject, ready_at) SELECT $1, 'customer', $6, $5 FROM head ON CONFLICT DO NOTHING),
    counted AS (INSERT INTO tally_changes (app_id, measure, key, amount) SELECT $1, $10 || '_accepted', -1, 1 FROM head),
    keyed AS (INSERT INTO event_keys (app_id, customer_id, event_key, event_id, sequence, purpose, epoch, payload_hash)
      SELECT $1, $6, $13, $8, sequence, $7, epoch, $3 FROM head WHERE $13::text IS NOT NULL)
    INSERT INTO inbox (app_id, customer_id, sequence, kind, item_id, purpose, epoch, payload, workflow_id, accepted_at)
    SELECT $1, $6, sequence, $10, $8, $7, epoch, $9, CASE WHEN $10 = 'claim' THEN open_workflow_id END, $5 FROM head RETURNING sequence`,
};

const RECEIPT_KEY = {
  name: 'receipt_key',
  text: `INSERT INTO idempotency_keys (app_id, key, payload_hash, created_at) VALUES ($1, $2, $3, $4)`,
};

const HEAD = {
  name: 'head',
  text: `SELECT granted_mask, epochs FROM customer_heads WHERE app_id = $1 AND customer_id = $2 FOR NO KEY UPDATE`,
};

const LEDGER_HEAD = {
  name: 'ledger_head',
  text: `INSERT INTO consent_ledger_heads AS h VALUES ($1, 0, repeat('0', 64))
    ON CONFLICT (app_id) DO UPDATE SET ledger_sequence = h.ledger_sequence RETURNING ledger_sequence, hash`,
};

const RECEIPT = {
  name: 'receipt',
  text: `WITH receipt AS (INSERT INTO consent_receipts (app_id, receipt_id, customer_id, granted_at) VALUES ($1, $2, $3, $4)),
    purposes AS (INSERT INTO consent_receipt_purposes (app_id, receipt_id, purpose, position, granted_at)
      SELECT $1, $2, purpose, position, $4 FROM unnest($5::smallint[]) WITH ORDINALITY AS given (purpose, position)),
    head AS (UPDATE customer_heads SET granted_mask = $6, epochs = $7, latest_receipt_id = $2, changed_at = $4 WHERE app_id = $1 AND customer_id = $3),
    consents AS (INSERT INTO customer_consents (app_id, customer_id, purpose, status, granted_at)
      SELECT $1, $3, purpose, 'granted', $4 FROM unnest($5::smallint[]) AS purpose ON CONFLICT (app_id, customer_id, purpose)
      DO UPDATE SET status = 'granted', granted_at = excluded.granted_at, revoked_at = NULL),
    announced AS (INSERT INTO outbox (app_id, message_id, type, data, customer_id, created_at)
      SELECT $1, $8, 'consent.granted', $9, $3, $4 WHERE EXISTS (SELECT FROM webhook_endpoints WHERE app_id = $1)),
    moved AS (UPDATE consent_ledger_heads SET ledger_sequence = $10, hash = $11 WHERE app_id = $1),
    linked AS (INSERT INTO consent_ledger VALUES ($1, $10, $9, $12, $11))
    UPDATE idempotency_keys SET result = $13 WHERE app_id = $1 AND key = $14`,
};

const sha256 = (text) => createHash('sha256').update(text).digest('hex');
const newId = (prefix) => `${prefix}_${randomUUID().replaceAll('-', '')}`;

async function createCustomer({ key, hash, at, body }) {
  const id = newId('cus');
  const answer = JSON.stringify({
    status: 'created',
    customer: { id, external_id: body.external_id, created_at: at },
  });
  await pool.query({
    ...CUSTOMER,
    values: [appId, key, hash, answer, at, id, body.external_id, JSON.stringify(body.profile)],
  });
  return answer;
}

/** Stored are claims and events in GraphQL's spelling. */
function camelCased(value) {
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, held]) => [
      name.replace(/_([a-z])/g, (_, letter) => letter.toUpperCase()),
      camelCased(held),
    ]),
  );
}

async function ingest(kind, { key, hash, at, body }) {
  const { customer_id, consent_purpose, event_key = null, object = null, ...payload } = body;
  const [id, workflow] = [newId(kind === 'claim' ? 'clm' : 'evt'), newId('wf')];
  const answer = JSON.stringify({
    id,
    status: 'accepted',
    workflow_id: kind === 'claim' ? workflow : undefined,
  });
  const purpose = PURPOSES.indexOf(consent_purpose);
  const stored = JSON.stringify(camelCased(object === null ? payload : { ...payload, object }));
  const head = [
    customer_id,
    purpose,
    id,
    stored,
    kind,
    kind === 'claim' ? workflow : null,
    object,
    event_key,
  ];
  const { rowCount } = await pool.query({ ...ITEM, values: [appId, key, hash, answer, at, ...head] });
  if (rowCount !== 1) throw new Error('The item was not accepted.');
  return answer;
}

async function grant({ key, hash, at, body }) {
  const client = await pool.connect();
  try {
    await client.query('BEGIN');
    await client.query({ ...RECEIPT_KEY, values: [appId, key, hash, at] });
    const {
      rows: [head],
    } = await client.query({ ...HEAD, values: [appId, body.customer_id] });
    const purposes = body.purposes.map((purpose) => PURPOSES.indexOf(purpose));
    const mask = purposes.reduce((all, purpose) => all | (1 << purpose), head.granted_mask);
    const epochs = head.epochs.map((epoch, at) => epoch + (((mask & ~head.granted_mask) >> at) & 1));
    const id = newId('rcp');
    const record = JSON.stringify({
      action: 'granted',
      customer_id: body.customer_id,
      decided_at: at,
      receipt_id: id,
    });
    const answer = JSON.stringify({
      id,
      customer_id: body.customer_id,
      purposes: body.purposes,
      granted_at: at,
    });
    const {
      rows: [last],
    } = await client.query({ ...LEDGER_HEAD, values: [appId] });
    const sequence = Number(last.ledger_sequence) + 1;
    const link = sha256(`${sequence}\n${last.hash}\n${record}`);
    const given = [
      appId,
      id,
      body.customer_id,
      at,
      purposes,
      mask,
      epochs,
      newId('msg'),
      record,
      sequence,
      link,
    ];
    await client.query({ ...RECEIPT, values: [...given, last.hash, answer, key] });
    await client.query('COMMIT');
    return answer;
  } catch (error) {
    await client.query('ROLLBACK');
    throw error;
  } finally {
    client.release();
  }
}

const WRITES = {
  '/v1/customers': [201, createCustomer],
  '/v1/consent-receipts': [201, grant],
  '/v1/claims': [202, (request) => ingest('claim', request)],
  '/v1/events': [202, (request) => ingest('event', request)],
};

function readBody(request) {
  return new Promise((resolve, reject) => {
    const chunks = [];
    request.on('data', (chunk) => chunks.push(chunk));
    request.on('end', () => resolve(Buffer.concat(chunks).toString()));
    request.on('error', reject);
  });
}

const server = createServer(async (request, response) => {
  try {
    const write = WRITES[request.url];
    if (!isAllowed(request.headers.authorization) || write === undefined)
      return response.writeHead(401).end();
    const text = await readBody(request);
    const key = request.headers['idempotency-key'];
    const at = new Date().toISOString();
    const answer = await write[1]({ key, hash: sha256(text), at, body: JSON.parse(text) });
    response.writeHead(write[0], {
      'Content-Type': 'application/json',
      'Content-Length': Buffer.byteLength(answer),
    });
    response.end(answer);
  } catch (error) {
    response.writeHead(500).end(String(error));
  }
});
server.listen(Number(process.env.PORT), '127.0.0.1', () => serve(server.address().port));
