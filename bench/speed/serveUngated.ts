import { OF_FACTS, WHOLE } from '../../src/loaders/readProfileRows.js';

// The service with nothing changed but this: what an app has stored of a customer, whatever was granted. To be measured, never served.
WHOLE.text = `SELECT q.customer_id, $3::integer::text AS open_mask, $3::integer::text AS allowed_mask, f.documents, f.fact_count, f.resolved_at::text AS resolved_at
  FROM unnest($2::text[]) AS q (customer_id)
  LEFT JOIN LATERAL (
    SELECT ${OF_FACTS}
      FROM facts f WHERE f.app_id = $1 AND f.customer_id = q.customer_id) f ON true`;

await import('./serveOurs.js');
