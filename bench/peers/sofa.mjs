// SOFA: REST made from the schema, simple resolvers.
import express from 'express';
import { useSofa } from 'sofa-api';
import { createSchema } from 'graphql-yoga';
import { isAllowed, serve } from './data.mjs';
import { resolvers, typeDefs } from './schema.mjs';

const app = express();
app.use((request, response, next) =>
  isAllowed(request.get('authorization')) ? next() : response.sendStatus(401),
);
app.use('/api', useSofa({ basePath: '/api', schema: createSchema({ typeDefs, resolvers }), depthLimit: 5 }));
const server = app.listen(Number(process.env.PORT), '127.0.0.1', () => serve(server.address().port));
