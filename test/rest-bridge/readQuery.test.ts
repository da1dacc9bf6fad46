import { expect } from 'chai';
import { GraphQLNonNull, GraphQLString } from 'graphql';
import type { GraphQLInputType } from 'graphql';
import { readQuery } from '../../rest-bridge/readQuery.js';
import { JsonObjectScalar } from '../../schema/scalars.js';

const TYPES = new Map<string, GraphQLInputType>([
  ['fields', JsonObjectScalar],
  ['ontology', new GraphQLNonNull(GraphQLString)],
]);

describe('The query of a URL', () => {
  it('gives members as they are named', () => {
    const query = readQuery('/v1/entries?ontology=book&fields[a]=1&fields[__proto__]=2&fields[a.b]=', TYPES);
    expect(query['ontology']).to.equal('book');
    expect(Object.entries(query['fields'] as object)).to.deep.equal([
      ['a', '1'],
      ['__proto__', '2'],
      ['a.b', ''],
    ]);
  });

  it('keeps one object for all members, which is copied for none of them', () => {
    const count = 60_000;
    const members = Array.from({ length: count }, (_, index) => `fields[a${index}]=x`);
    const { fields } = readQuery(`/v1/entries?${members.join('&')}`, TYPES);
    expect(Object.keys(fields as object)).to.have.length(count);
  });
});
