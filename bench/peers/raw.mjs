// Hand-written on node:http and pg: one prepared statement, the stored text passed through.
import { createServer } from 'node:http';
import { claimsBody, customerBody, isAllowed, profileStatement, rows, serve, ungatedStatement } from './data.mjs';

const GATED = profileStatement('rest_document');

async function profile(statement, id) {
  const [row] = await rows(statement, id);
  return `{"customer_id":"${id}","facts":${row.documents ?? '[]'},"resolved_at":"${row.resolved_at}"}`;
}

async function answer(url) {
  const [, , collection, id, list] = url.split('/');
  if (collection === 'profiles') return list === undefined ? profile(GATED, id) : JSON.stringify(await claimsBody(id));
  if (collection === 'ungated') return profile(ungatedStatement, id);
  return JSON.stringify(await customerBody(id));
}

const server = createServer(async (request, response) => {
  if (!isAllowed(request.headers.authorization)) return response.writeHead(401).end();
  const text = await answer(request.url);
  response.writeHead(200, {
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': Buffer.byteLength(text),
  });
  response.end(text);
});
server.listen(Number(process.env.PORT), '127.0.0.1', () => serve(server.address().port));
