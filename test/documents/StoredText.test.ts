import { expect } from 'chai';
import { FreeForm } from '../../src/documents/FreeForm.js';
import {
  CLAIM_TEXT,
  FACT_TEXT,
  omitNulls,
  printSpliced,
  readForward,
  StoredText,
  versionedText,
  versionOf,
} from '../../src/documents/StoredText.js';
import type { TextKind } from '../../src/documents/StoredText.js';

const FACT = {
  attribute: 'name',
  resolvedValue: { textVersion: 1, mark: '\u0001' },
  confidence: 0.5,
  resolutionMethod: 'vote',
  consentPurpose: 'support',
  evidence: [],
  alternatives: [],
};

/** A row's text as `versionedText` gives it out. */
function marked(textVersion: number, document: object): string {
  return `\u0001${JSON.stringify({ textVersion, document })}`;
}

describe('readForward', () => {
  const now = FACT_TEXT.print('graphql', FACT);

  it('leaves text of this version unchanged', () => {
    expect(readForward(FACT_TEXT, 'graphql', null, 0)).to.deep.equal(new StoredText('[]', 0));
    expect(readForward(FACT_TEXT, 'graphql', `${now},${now}`, 2)).to.deep.equal(
      new StoredText(`[${now},${now}]`, 2),
    );
  });

  it('adds missing members as null and drops unknown ones', () => {
    const { confidence: _gone, ...older } = JSON.parse(now) as typeof FACT;
    const list = `${now},${marked(0, older)},${marked(99, { ...FACT, mood: 'blue' })}`;
    const nulled = now.replace('"confidence":0.5', '"confidence":null');
    expect(readForward(FACT_TEXT, 'graphql', list, 3).text).to.equal(`[${now},${nulled},${now}]`);
  });

  it('uses the field names of REST or GraphQL', () => {
    const rest = FACT_TEXT.print('rest', FACT);
    const list = `${marked(0, JSON.parse(now) as object)},${rest}`;
    expect(readForward(FACT_TEXT, 'rest', list, 2).text).to.equal(`[${rest},${rest}]`);
  });

  it('applies the later steps once each, in order', () => {
    const kind: TextKind = {
      ...FACT_TEXT,
      steps: ['second', 'third'].map((word) => (fact) => ({
        ...fact,
        attribute: `${String(fact['attribute'])} ${word}`,
      })),
    };
    expect(versionOf(kind)).to.equal(3);
    const named = [1, 2, 4].map((version) => marked(version, JSON.parse(now) as object)).join(',');
    const read = JSON.parse(readForward(kind, 'graphql', `${now},${named}`, 4).text) as {
      attribute: string;
    }[];
    expect(read.map(({ attribute }) => attribute)).to.deep.equal([
      'name',
      'name second third',
      'name third',
      'name',
    ]);
  });

  it('marks only text of another version', () => {
    expect(versionedText(CLAIM_TEXT, 'c')).to.equal(
      `CASE WHEN c.text_version = ${versionOf(CLAIM_TEXT)} THEN c.document ELSE chr(1) || '{"textVersion":' || c.text_version || ',"document":' || c.document || '}' END`,
    );
  });
});

describe('Members without a value', () => {
  it('are omitted at any depth, but entries of lists and what is in free-form values stay', () => {
    const free = new FreeForm({ none: null, list: [null, { none: null }] });
    const answer = { none: null, zero: 0, list: [null, { none: null, text: '' }, [null]], free };
    const printed =
      '{"zero":0,"list":[null,{"text":""},[null]],"free":{"none":null,"list":[null,{"none":null}]}}';
    for (const print of [JSON.stringify, printSpliced])
      expect(print(omitNulls({ ...answer }))).to.equal(printed);
    expect(omitNulls(null)).to.equal(null);
  });
});
