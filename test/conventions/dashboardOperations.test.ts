import { readdirSync, readFileSync } from 'node:fs';
import { expect } from 'chai';
import { buildSchema, parse, validate } from 'graphql';

const FOLDER = 'dashboard/src';

/** The operations of the dashboard's sources: each stands in a template of its own. */
function operationsOf(file: string): string[] {
  const text = readFileSync(file, 'utf8');
  return [...text.matchAll(/\bgraphql\(`([^`]*)`\)/g)].map(([, operation = '']) => operation);
}

describe("the dashboard's operations", () => {
  const schema = buildSchema(readFileSync('schema/schema.graphql', 'utf8'));
  const files = readdirSync(FOLDER, { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.tsx?$/.test(name) && !name.startsWith('gql/'))
    .map((name) => `${FOLDER}/${name}`);
  const operations = files.flatMap(operationsOf);

  it('are valid in the schema of the service', () => {
    expect(operations).to.have.length.above(10);
    for (const operation of operations) {
      expect(
        validate(schema, parse(operation)).map(({ message }) => message),
        operation,
      ).to.deep.equal([]);
    }
  });

  it('give every mutation an idempotency key', () => {
    const mutations = operations.filter((operation) => operation.trimStart().startsWith('mutation'));
    expect(mutations).to.have.length.above(2);
    for (const mutation of mutations) expect(mutation).to.include('idempotencyKey: $key');
  });
});
