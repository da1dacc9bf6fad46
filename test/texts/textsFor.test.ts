import { expect } from 'chai';
import { formatMoment } from '../../src/texts/formatMoment.js';
import { localeOf } from '../../src/texts/locale.js';
import { textsFor } from '../../src/texts/textsFor.js';

describe('textsFor', () => {
  it('chooses the available language that the browser prefers', () => {
    expect(localeOf('de-AT,de;q=0.9,en;q=0.8')).to.equal('de');
    expect(localeOf('fr-FR, de;q=0.3, en;q=0.7')).to.equal('en');
    expect(localeOf('de;q=0, en')).to.equal('en');
    for (const header of [undefined, '', 'fr', '*', 'constructor', ';;q=,,'])
      expect(localeOf(header)).to.equal('en');
  });

  it('leaves no German text empty or in English', () => {
    const [english, german] = [leaves(textsFor('en')), leaves(textsFor('de'))];
    expect([...german.keys()]).to.deep.equal([...english.keys()]);
    const same = [...german].filter(([key, text]) => text === '' || text === english.get(key));
    // Secrets of mails stand on lines of their own, and so do links.
    const alike = same.filter(
      ([key]) => !/^mail\.(write\.[01]\.lines\.[13]|resetPassword\.lines\.1)$/.test(key),
    );
    expect(alike.map(([key]) => key)).to.deep.equal([
      'common.serviceName',
      'home.places.dashboard.label',
      'home.places.graphiql.label',
      'account.languages.en',
      'account.languages.de',
      'graphiql.title',
      'graphiql.editor',
    ]);
  });

  it('prints times in the given zone or in UTC, with its name', () => {
    expect(formatMoment('en', '2026-11-20T07:23:00.000Z', 'America/New_York')).to.equal(
      '20 November 2026 at 02:23 GMT-5',
    );
    expect(formatMoment('de', '2026-07-20T07:23:00.000Z', 'Europe/Berlin')).to.equal(
      '20. Juli 2026 um 09:23 MESZ',
    );
    expect(formatMoment('en', '2026-11-20T07:23:00.000Z')).to.equal('20 November 2026 at 07:23 UTC');
    expect(formatMoment('de', '2026-11-20T07:23:00.000Z')).to.equal('20. November 2026 um 07:23 UTC');
  });
});

/** Every text with its path; texts that take arguments are called with samples. */
function leaves(texts: object, path = ''): Map<string, string> {
  return new Map(
    Object.entries(texts).flatMap(([key, value]: [string, unknown]): [string, string][] => {
      const at = path === '' ? key : `${path}.${key}`;
      const said: unknown =
        typeof value === 'function' ? sample(at, value as (...given: unknown[]) => unknown) : value;
      return typeof said === 'object' && said !== null ? [...leaves(said, at)] : [[at, String(said)]];
    }),
  );
}

function sample(at: string, text: (...given: unknown[]) => unknown): unknown {
  return at === 'mail.write' ? MAILS.map((mail) => text(mail, 'B')) : text('A', 'B');
}

const TOLD = { at: '2026-11-20T07:23:00.000Z', until: '2026-11-20T07:53:00.000Z', purposes: ['analytics'] };

const MAILS = [
  { kind: 'verify_address', data: { token: 'T', code: '1' } },
  { kind: 'change_address', data: { token: 'T', code: '1' } },
  { kind: 'address_changed', data: {} },
  { kind: 'address_in_use', data: {} },
  { kind: 'password_changed', data: {} },
  { kind: 'passkey_added', data: { label: 'L' } },
  { kind: 'approved', data: { partner: 'P', ...TOLD } },
  { kind: 'withdrawn', data: { partner: 'P', ...TOLD } },
  { kind: 'account_deleted', data: { erasure: 'E' } },
].map((mail) => ({ ...mail, timeZone: null }));
