// Express 5 and pg: plain (objects, res.json) and tuned (no ETag, the stored text passed through).
import express from 'express';
import { appOf, claimsBody, customerBody, profileStatement, rows, serve } from './data.mjs';

const GATED = profileStatement('rest_document');
const tuned = process.argv[2] === 'tuned';
const app = express();
if (tuned) app.disable('etag').disable('x-powered-by');
app.use((request, response, next) => {
  request.app_id = appOf(request.get('authorization'));
  if (request.app_id === undefined) return response.sendStatus(401);
  next();
});

app.get('/v1/profiles/:id', async (request, response) => {
  const { id } = request.params;
  const [row] = await rows(GATED, id, request.app_id);
  if (!tuned)
    return response.json({
      customer_id: id,
      facts: JSON.parse(row.documents ?? '[]'),
      resolved_at: row.resolved_at,
    });
  const text = `{"customer_id":"${id}","facts":${row.documents ?? '[]'},"resolved_at":"${row.resolved_at}"}`;
  response.setHeader('Content-Type', 'application/json; charset=utf-8');
  response.setHeader('Content-Length', Buffer.byteLength(text));
  response.end(text);
});
app.get('/v1/profiles/:id/claims', async (request, response) =>
  response.json(await claimsBody(request.params.id)),
);
app.get('/v1/customers/:id', async (request, response) =>
  response.json(await customerBody(request.params.id)),
);
const server = app.listen(Number(process.env.PORT), '127.0.0.1', () => serve(server.address().port));
