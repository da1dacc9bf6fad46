import { forReadsOfApps } from '../../src/database/openings.js';
import { isoTime } from '../../src/database/types.js';
import { EACH_READ, OF_FACTS, PROFILES } from '../../src/loaders/loadProfiles.js';

// The service with nothing changed but this: it finds the customer and its facts as ever, and asks neither
// what was granted, what the app may use nor which epoch is open. To be measured, never served.
PROFILES.text = `WITH gate AS MATERIALIZED (
           SELECT h.customer_id, h.changed_at FROM customer_heads h WHERE h.app_id = $1
             AND h.customer_id = ANY ($2))
         SELECT g.customer_id, $3::integer::text AS open_mask, $3::integer::text AS allowed_mask, f.documents,
                f.fact_count,
                ${isoTime('coalesce(f.resolved_at, g.changed_at)')} AS resolved_at
           FROM gate g LEFT JOIN LATERAL (
             SELECT ${OF_FACTS} FROM facts f WHERE f.app_id = $1
               AND f.customer_id = g.customer_id) f ON true`;
PROFILES.forApps = forReadsOfApps(EACH_READ, PROFILES.text);

await import('./serveOurs.js');
