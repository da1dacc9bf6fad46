// GraphQL Yoga on node:http, simple resolvers.
import { createServer } from 'node:http';
import { createSchema, createYoga } from 'graphql-yoga';
import { isAllowed, serve } from './data.mjs';
import { resolvers, typeDefs } from './schema.mjs';

const yoga = createYoga({ schema: createSchema({ typeDefs, resolvers }), logging: false });
const server = createServer((request, response) =>
  isAllowed(request.headers.authorization) ? yoga(request, response) : response.writeHead(401).end(),
);
server.listen(Number(process.env.PORT), '127.0.0.1', () => serve(server.address().port));
