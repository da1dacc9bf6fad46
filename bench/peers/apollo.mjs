// Apollo Server 5 and TypeGraphQL with their defaults, or with simple resolvers and without the cache-control
// plugin.
import { ApolloServer } from '@apollo/server';
import { ApolloServerPluginCacheControlDisabled } from '@apollo/server/plugin/disabled';
import { expressMiddleware } from '@as-integrations/express5';
import express from 'express';
import { isAllowed, serve } from './data.mjs';
import { buildDecorated } from './decorated.mjs';

const simple = process.argv[2] === 'simple';
const server = new ApolloServer({
  schema: await buildDecorated(simple),
  plugins: simple ? [ApolloServerPluginCacheControlDisabled()] : [],
});
await server.start();
const app = express();
app.use((request, response, next) =>
  isAllowed(request.get('authorization')) ? next() : response.sendStatus(401),
);
app.use('/graphql', express.json(), expressMiddleware(server));
const listening = app.listen(Number(process.env.PORT), '127.0.0.1', () => serve(listening.address().port));
