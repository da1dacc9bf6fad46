// Mercurius on Fastify with its JIT, simple resolvers.
import Fastify from 'fastify';
import mercurius from 'mercurius';
import { isAllowed, serve } from './data.mjs';
import { resolvers, typeDefs } from './schema.mjs';

const app = Fastify();
app.addHook('onRequest', async (request, reply) => {
  if (!isAllowed(request.headers.authorization)) return reply.code(401).send();
});
app.register(mercurius, { schema: typeDefs, resolvers, jit: 1 });
await app.listen({ port: Number(process.env.PORT), host: '127.0.0.1' });
serve(app.server.address().port);
