import { expect } from 'chai';
import { parse } from 'graphql';
import { buildGuardedSchema } from '../../src/buildGuardedSchema.js';
import { KnownOperations, operationKey } from '../../src/execution/KnownOperations.js';
import type { KnownOptions } from '../../src/execution/KnownOperations.js';
import { OperationCompiler } from '../../src/execution/OperationCompiler.js';

const TEXTS = Array.from({ length: 5 }, (_, index) => `{ customers(first: ${index + 1}) { nodes { id } } }`);

describe('known operations', () => {
  const compiler = new OperationCompiler(buildGuardedSchema());

  const remembering = (texts: readonly string[], options: KnownOptions): KnownOperations => {
    const operations = new KnownOperations(compiler, { compileAfter: 1, ...options });
    for (const text of texts) operations.remember(text, parse(text), undefined);
    return operations;
  };
  const known = (operations: KnownOperations): number[] =>
    TEXTS.flatMap((text, index) => (operations.find(text) === undefined ? [] : [index]));

  it('are bounded in number, the longest unused forgotten', () => {
    const operations = remembering(TEXTS.slice(0, 3), { capacity: 3 });
    operations.find(TEXTS[0] ?? '');
    for (const text of TEXTS.slice(3)) operations.remember(text, parse(text), undefined);
    expect(known(operations)).to.deep.equal([0, 3, 4]);
  });

  it('are bounded in length, together and each', () => {
    const texts = Array.from({ length: 20 }, (_, index) => `{ customers(first: ${index + 10}) { nodes { id } } }`);
    const [{ length } = ''] = texts;
    const operations = remembering(texts, { characters: 16 * length });
    const kept = (): boolean[] => texts.map((text) => operations.find(text) !== undefined);
    expect(kept()).to.deep.equal(texts.map((_, index) => index >= 4));
    const long = `${texts[0]} `;
    operations.remember(long, parse(long), undefined);
    expect(operations.find(long)).to.equal(undefined);
    for (const text of texts) operations.remember(text, parse(text), undefined);
    expect(kept().filter(Boolean), 'what was forgotten counts no more').to.have.length(16);
  });

  it('are compiled for either use when asked for often enough, each once', () => {
    const [text = ''] = TEXTS;
    const operations = remembering([text], { compileAfter: 2 });
    expect(operations.find(text)).to.equal(undefined);
    expect(operations.findPlain(text)).to.equal(undefined);
    const compiled = operations.find(text)?.compiled;
    expect(compiled).to.not.equal(undefined);
    expect(operations.findPlain(text)?.plain).to.equal(compiled);
  });

  it('that print documents have another form behind Apollo Server', () => {
    const text = '{ resolvedProfile(customerId: "a") { facts { attribute } } }';
    const operations = remembering([text], {});
    expect(operations.find(text)?.compiled.forms.print.size).to.equal(1);
    expect(operations.findPlain(text)?.plain.forms.print.size).to.equal(0);
  });

  it('are told apart by name and by how they were sent', () => {
    const sources = [{ text: 'a' }, { hash: 'a' }, { text: '"a" text a' }];
    const keys = sources.flatMap((source) => [undefined, '', 'a'].map((name) => operationKey(source, name)));
    expect(new Set(keys).size).to.equal(keys.length);
  });
});
