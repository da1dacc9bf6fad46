// Express 5 and TypeORM entities over normalized tables.
import 'reflect-metadata';
import express from 'express';
import { DataSource, EntitySchema } from 'typeorm';
import { isAllowed, serve } from './data.mjs';

const text = { type: 'text' };
const number = { type: 'double precision' };
const key = (columns) => ({ ...columns, id: { type: 'text', primary: true } });
const Evidence = new EntitySchema({
  name: 'Evidence',
  tableName: 'peers.evidence',
  columns: key({
    position: { type: 'int' },
    customer_id: text,
    attribute: text,
    value: { type: 'jsonb' },
    source: text,
    observed_at: text,
    context: text,
    consent_purpose: text,
    confidence: number,
    provenance: { type: 'jsonb' },
  }),
  relations: {
    fact: { type: 'many-to-one', target: 'Fact', inverseSide: 'evidence', joinColumn: { name: 'fact_id' } },
  },
});
const Alternative = new EntitySchema({
  name: 'Alternative',
  tableName: 'peers.alternatives',
  columns: key({ position: { type: 'int' }, value: { type: 'jsonb' }, confidence: number, reason: text }),
  relations: {
    fact: {
      type: 'many-to-one',
      target: 'Fact',
      inverseSide: 'alternatives',
      joinColumn: { name: 'fact_id' },
    },
  },
});
const Fact = new EntitySchema({
  name: 'Fact',
  tableName: 'peers.facts',
  columns: key({
    customer_id: text,
    attribute: text,
    resolved_value: { type: 'jsonb' },
    confidence: number,
    resolution_method: text,
    consent_purpose: text,
    resolved_at: text,
  }),
  relations: {
    evidence: { type: 'one-to-many', target: 'Evidence', inverseSide: 'fact' },
    alternatives: { type: 'one-to-many', target: 'Alternative', inverseSide: 'fact' },
  },
});

const source = new DataSource({
  type: 'postgres',
  url: process.env.DATABASE_URL,
  entities: [Fact, Evidence, Alternative],
  poolSize: 12,
});
await source.initialize();
const facts = source.getRepository(Fact);
const app = express();
app.use((request, response, next) =>
  isAllowed(request.get('authorization')) ? next() : response.sendStatus(401),
);

const fact = ({ id: _id, customer_id: _customer, resolved_at: _at, evidence, alternatives, ...rest }) => ({
  ...rest,
  evidence: evidence.map(({ position: _p, ...claim }) => claim),
  alternatives: alternatives.map(({ id: _a, position: _p, ...alternative }) => alternative),
});

app.get('/v1/profiles/:id', async (request, response) => {
  const { id } = request.params;
  const found = await facts.find({
    where: { customer_id: id },
    relations: { evidence: true, alternatives: true },
    order: { attribute: 'ASC', evidence: { position: 'ASC' }, alternatives: { position: 'ASC' } },
  });
  response.json({ customer_id: id, facts: found.map(fact), resolved_at: found[0]?.resolved_at });
});
const server = app.listen(Number(process.env.PORT), '127.0.0.1', () => serve(server.address().port));
