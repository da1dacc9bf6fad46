// Hand-written on node:http and pg: one prepared statement, the stored text passed through.
import { createServer } from 'node:http';
import { appOf, claimsBody, customerBody, profileStatement, rows, serve, ungatedStatement } from './data.mjs';

const GATED = profileStatement('rest_document');

async function profile(statement, id, app) {
  const [row] = await rows(statement, id, app);
  return `{"customer_id":"${id}","facts":${row.documents ?? '[]'},"resolved_at":"${row.resolved_at}"}`;
}

async function answer(url, app) {
  const [, , collection, id, list] = url.split('/');
  if (collection === 'profiles')
    return list === undefined ? profile(GATED, id, app) : JSON.stringify(await claimsBody(id));
  if (collection === 'ungated') return profile(ungatedStatement, id, app);
  return JSON.stringify(await customerBody(id));
}

const server = createServer(async (request, response) => {
  const app = appOf(request.headers.authorization);
  if (app === undefined) return response.writeHead(401).end();
  const text = await answer(request.url, app);
  response.writeHead(200, {
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': Buffer.byteLength(text),
  });
  response.end(text);
});
server.listen(Number(process.env.PORT), '127.0.0.1', () => serve(server.address().port));
