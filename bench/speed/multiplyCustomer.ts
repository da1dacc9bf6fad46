import pg from 'pg';

export interface MultiplyPlan {
  ownerUrl: string;
  appId: string;
  /** A customer whose id ends in zeros. */
  model: string;
  customers: number;
}

const DIGITS = 12;

/**
 * In the order of their keys. What the model's text holds of its id is the copy's own; claims are not copied:
 * no read of a profile sees them.
 */
const COPIES = [
  `INSERT INTO customers (app_id, customer_id, external_id, status, profile, metadata, created_at, updated_at)
   SELECT app_id, $2 || n, 'external-' || $2 || n, status, profile, metadata, created_at, updated_at
     FROM customers, NUMBERS WHERE app_id = $1 AND customer_id = $3`,
  `INSERT INTO customer_heads (app_id, customer_id, sequence, applied_sequence, granted_mask, epochs,
    changed_at)
   SELECT app_id, $2 || n, sequence, applied_sequence, granted_mask, epochs, changed_at
     FROM customer_heads, NUMBERS WHERE app_id = $1 AND customer_id = $3`,
  `INSERT INTO facts (app_id, customer_id, purpose, attribute, epoch, document, rest_document, explanation,
    confidence, text_version, resolved_at)
   SELECT app_id, $2 || n, purpose, attribute, epoch, replace(document, substr($3, 5), substr($2, 5) || n),
          replace(rest_document, substr($3, 5), substr($2, 5) || n), explanation,
          confidence, text_version, resolved_at
     FROM NUMBERS, facts WHERE app_id = $1 AND customer_id = $3`,
];

/** Makes a customer many, on the server. @returns the ids of all, the model's among them */
export async function multiplyCustomer({
  ownerUrl,
  appId,
  model,
  customers,
}: MultiplyPlan): Promise<string[]> {
  const prefix = model.slice(0, -DIGITS);
  const client = new pg.Client({ connectionString: ownerUrl });
  await client.connect();
  try {
    // The rows are copies of sound ones: what triggers check of each need not be checked a million times.
    await client.query(`SET session_replication_role = 'replica'`);
    await client.query('SET synchronous_commit = off');
    for (const copy of COPIES) await client.query(withNumbers(copy, customers), [appId, prefix, model]);
  } finally {
    await client.end();
  }
  return Array.from({ length: customers }, (_, index) => `${prefix}${String(index).padStart(DIGITS, '0')}`);
}

function withNumbers(copy: string, customers: number): string {
  return copy.replace(
    'NUMBERS',
    `(SELECT lpad(number::text, ${DIGITS}, '0') AS n FROM generate_series(1, ${customers - 1}) AS number) numbers`,
  );
}
