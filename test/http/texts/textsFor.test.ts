import { expect } from 'chai';
import { formatMoment, localeOf, textsFor } from '../../../src/http/texts/textsFor.js';

describe('textsFor', () => {
  it('takes the language the browser prefers among those there are', () => {
    expect(localeOf('de-AT,de;q=0.9,en;q=0.8')).to.equal('de');
    expect(localeOf('fr-FR, de;q=0.3, en;q=0.7')).to.equal('en');
    expect(localeOf('de;q=0, en')).to.equal('en');
    for (const header of [undefined, '', 'fr', '*', 'constructor', ';;q=,,']) expect(localeOf(header)).to.equal('en');
  });

  it('leaves no German text empty or in English', () => {
    const [english, german] = [leaves(textsFor('en')), leaves(textsFor('de'))];
    expect([...german.keys()]).to.deep.equal([...english.keys()]);
    const same = [...german].filter(([key, text]) => text === '' || text === english.get(key));
    expect(same.map(([key]) => key)).to.deep.equal(['common.serviceName', 'graphiql.title']);
  });

  it('says times in UTC and says so', () => {
    expect(formatMoment('en', '2026-11-20T07:23:00.000Z')).to.equal('November 20, 2026 at 7:23 AM UTC');
    expect(formatMoment('de', '2026-11-20T07:23:00.000Z')).to.equal('20. November 2026 um 07:23 UTC');
  });
});

/** Every text with its path; texts that take arguments are called with samples. */
function leaves(texts: object, path = ''): Map<string, string> {
  return new Map(
    Object.entries(texts).flatMap(([key, value]: [string, unknown]): [string, string][] => {
      const at = path === '' ? key : `${path}.${key}`;
      if (typeof value === 'object' && value !== null) return [...leaves(value, at)];
      return [[at, typeof value === 'function' ? String(value('A', 'B')) : String(value)]];
    }),
  );
}
