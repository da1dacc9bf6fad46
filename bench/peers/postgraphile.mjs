// PostGraphile 5: its schema is made of the tables, views and keys of `graph`; one statement per operation.
// Reads only.
import { createServer } from 'node:http';
import { postgraphile } from 'postgraphile';
import { makePgService } from 'postgraphile/adaptors/pg';
import { grafserv } from 'postgraphile/grafserv/node';
import { PostGraphileAmberPreset } from 'postgraphile/presets/amber';
import { isAllowed, serve } from './data.mjs';

// This version asks for Node 22; of what came with that, reading uses nothing but this.
Promise.withResolvers ??= function withResolvers() {
  let resolve;
  let reject;
  const promise = new this((settle, fail) => {
    resolve = settle;
    reject = fail;
  });
  return { promise, resolve, reject };
};

const preset = {
  extends: [PostGraphileAmberPreset],
  pgServices: [
    makePgService({
      connectionString: process.env.DATABASE_URL,
      schemas: ['graph'],
      poolConfig: { max: 12 },
    }),
  ],
  schema: { defaultBehavior: 'list -connection -insert -update -delete -nodeId' },
  grafserv: { graphiql: false, watch: false },
  grafast: { explain: false },
};
const handle = postgraphile(preset).createServ(grafserv).createHandler();
const server = createServer((request, response) =>
  isAllowed(request.headers.authorization) ? handle(request, response) : response.writeHead(401).end(),
);
server.listen(Number(process.env.PORT), '127.0.0.1', () => serve(server.address().port));
