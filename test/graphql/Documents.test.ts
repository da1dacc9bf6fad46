import { hash } from 'node:crypto';
import { expect } from 'chai';
import { buildGuardedSchema } from '../../src/start/buildGuardedSchema.js';
import { OperationCompiler } from '../../src/execution/OperationCompiler.js';
import { Documents } from '../../src/graphql/Documents.js';
import type { DocumentOptions } from '../../src/graphql/Documents.js';

const TEXTS = Array.from({ length: 5 }, (_, index) => `{ customers(first: ${index + 1}) { nodes { id } } }`);
const [TEXT = ''] = TEXTS;

describe('documents', () => {
  const compiler = new OperationCompiler(buildGuardedSchema());

  const holding = (texts: readonly string[], options: DocumentOptions): Documents => {
    const documents = new Documents(compiler, options);
    for (const text of texts) documents.find({ text });
    return documents;
  };
  const kept = (documents: Documents, texts: readonly string[]): number[] =>
    texts.flatMap((text, index) => (documents.parsed(hash('sha256', text)) === undefined ? [] : [index]));
  const compiles = (documents: Documents, text: string): boolean =>
    documents.find({ text }).operation(undefined)?.compiled() !== undefined;

  it('are bounded in number: the least recently used is dropped', () => {
    const documents = holding(TEXTS.slice(0, 3), { capacity: 3 });
    documents.find({ text: TEXT });
    for (const text of TEXTS.slice(3)) documents.find({ text });
    expect(kept(documents, TEXTS)).to.deep.equal([0, 3, 4]);
    expect(documents.size).to.equal(3);
  });

  it('are bounded in length, each and in total', () => {
    const texts = Array.from(
      { length: 20 },
      (_, index) => `{ customers(first: ${index + 10}) { nodes { id } } }`,
    );
    const [{ length } = ''] = texts;
    const documents = holding(texts, { characters: 8 * length });
    expect(kept(documents, texts)).to.deep.equal(
      texts.map((_, index) => index).filter((index) => index >= 12),
    );
    const long = `${texts[0]} `;
    documents.find({ text: long });
    expect(kept(documents, [long])).to.deep.equal([]);
    for (const text of texts) documents.find({ text });
    expect(kept(documents, texts), 'what was forgotten counts no more').to.have.length(8);
  });

  it('are parsed and checked once', () => {
    const documents = holding([], {});
    expect(documents.find({ text: TEXT })).to.equal(documents.find({ text: TEXT }));
  });

  it('wait as revocations, and so for no turn, if they contain nothing else, be it in a fragment', () => {
    const documents = holding([], {});
    const classOf = (text: string) => documents.find({ text }).operation(undefined)?.operationClass;
    const revoke = (alias: string) =>
      `${alias}: revokeConsentReceipt(idempotencyKey: "k", id: "c") { workflowId }`;
    const inFragment = `mutation { ...all } fragment all on Mutation`;
    expect(classOf(`mutation { ${revoke('a')} ${revoke('b')} }`)).to.equal('revoke');
    expect(classOf(`${inFragment} { ${revoke('a')} ... on Mutation { ${revoke('b')} } }`)).to.equal('revoke');
    const create = 'createCustomer(idempotencyKey: "k", input: { externalId: "x" }) { status }';
    expect(classOf(`${inFragment} { ${revoke('a')} ... on Mutation { ${create} } }`)).to.equal('write');
    expect(classOf(TEXT)).to.equal('read');
  });

  it('are compiled once they are repeated often enough, each operation once', () => {
    const documents = holding([], { compileAfter: 2 });
    const operation = documents.find({ text: TEXT }).operation(undefined);
    const forms = [1, 2, 3, 4].map(() => operation?.compiled());
    expect(forms.map((form) => form !== undefined)).to.deep.equal([false, false, true, true]);
    expect(forms[3]).to.equal(forms[2]);
  });

  it('are not compiled if they mutate or introspect', () => {
    const documents = holding([], { compileAfter: 0 });
    expect(compiles(documents, TEXT)).to.equal(true);
    for (const text of [
      'mutation { deleteCustomer(id: "a", idempotencyKey: "b") { id } }',
      '{ __schema { queryType { name } } }',
      '{ ...f } fragment f on Query { __type(name: "Query") { name } }',
    ])
      expect(compiles(documents, text), text).to.equal(false);
  });

  it('are found by hash only after a client sent hash and text', () => {
    const documents = holding([TEXT], {});
    const sha256 = hash('sha256', TEXT);
    const unsent = '{ customers { nodes { id } } }';
    expect(() => documents.find({ hash: hash('sha256', unsent) })).to.throw('PersistedQueryNotFound');
    documents.find({ text: TEXT, hash: sha256 });
    expect(documents.find({ hash: sha256 }).text).to.equal(TEXT);
    for (let first = 1; first <= 400; first += 1)
      documents.find({ text: `{ customers(first: ${first}) { nodes { id externalId } } }` });
    expect(documents.find({ hash: sha256 }).text, 'after its document was forgotten').to.equal(TEXT);
  });

  it('are refused if the hash does not match, and nothing is registered', () => {
    const documents = holding([], {});
    const other = hash('sha256', '{ app(id: "a") { id } }');
    expect(() => documents.find({ text: TEXT, hash: other })).to.throw(/not that of the query/);
    expect(() => documents.find({ hash: other })).to.throw('PersistedQueryNotFound');
  });

  it('are not kept when they are refused', () => {
    const documents = holding([], {});
    for (const text of ['{', '{ nothing }', 'subscription { x }'])
      for (let time = 0; time < 2; time += 1) expect(() => documents.find({ text }), text).to.throw();
    expect(documents.size).to.equal(0);
  });
});
