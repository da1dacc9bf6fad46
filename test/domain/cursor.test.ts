import { expect } from 'chai';
import fc from 'fast-check';
import { readCursor, writeCursor } from '../../src/domain/cursor.js';
import { unfitText } from '../../src/domain/jsonValue.js';
import { SecretBox } from '../../src/domain/SecretBox.js';
import { ServiceError } from '../../src/errors.js';
import { TEST_SECRETS_KEY } from '../support/database.js';

const secrets = new SecretBox(TEST_SECRETS_KEY);
const scope = fc.record({ appId: fc.string(), list: fc.string(), filter: fc.string() });
const position = fc.oneof(fc.string(), fc.integer());

function refused(read: () => unknown): boolean {
  try {
    read();
    return false;
  } catch (error) {
    return error instanceof ServiceError && error.code === 'invalid_request';
  }
}

describe('cursor', () => {
  it('decodes to its position', () => {
    fc.assert(
      fc.property(scope, position, (of, at) => {
        expect(readCursor(secrets, of, writeCursor(secrets, of, at))).to.equal(at);
      }),
    );
  });

  it('is shorter than a parameter may be for each external id', () => {
    const text = fc.string({ unit: 'binary', maxLength: 255 }).map((id) => id.toWellFormed().slice(0, 255));
    fc.assert(
      fc.property(fc.oneof(text, fc.constant('\u0001'.repeat(255)), fc.constant('é'.repeat(255))), (at) => {
        expect(unfitText(writeCursor(secrets, { appId: 'a', list: 'l' }, at))).to.equal(undefined);
      }),
    );
  });

  it('is JSON, as an older release reads it, unless that is longer than 1,024 bytes', () => {
    const writtenOf = (at: string | number): string => {
      const [body = ''] = writeCursor(secrets, { appId: 'a', list: 'l' }, at).split('.');
      return Buffer.from(body, 'base64url').toString();
    };
    const short = fc.oneof(fc.integer(), fc.string({ unit: 'binary', maxLength: 170 }));
    fc.assert(
      fc.property(short, (at) => {
        expect(JSON.parse(writtenOf(at))).to.equal(at);
      }),
    );
    expect(writtenOf('\u0001'.repeat(171))).to.equal(`t${'\u0001'.repeat(171)}`);
  });

  it('of an older version is read', () => {
    const scopeOf = { appId: 'a', list: 'l' };
    const body = Buffer.from(JSON.stringify('member-1')).toString('base64url');
    const mac = secrets.mac('cursor', JSON.stringify(['a', 'l', '', body])).slice(0, 22);
    expect(readCursor(secrets, scopeOf, `${body}.${mac}`)).to.equal('member-1');
  });

  it('is refused by other apps, lists and filters', () => {
    fc.assert(
      fc.property(
        scope,
        fc.constantFrom('appId', 'list', 'filter'),
        fc.string(),
        position,
        (of, member, text, at) => {
          const other = { ...of, [member]: text };
          fc.pre(JSON.stringify(of) !== JSON.stringify(other));
          expect(refused(() => readCursor(secrets, other, writeCursor(secrets, of, at)))).to.equal(true);
        },
      ),
    );
  });

  it('is refused if it was forged or changed', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.base64String(), fc.string({ unit: 'binary' })), (text) => {
        expect(refused(() => readCursor(secrets, { appId: 'a', list: 'l' }, text))).to.equal(true);
      }),
    );
    const cursor = writeCursor(secrets, { appId: 'a', list: 'l' }, 'cus_1');
    for (let place = 0; place < cursor.length; place += 1) {
      const changed = cursor.slice(0, place) + (cursor[place] === 'A' ? 'B' : 'A') + cursor.slice(place + 1);
      expect(
        refused(() => readCursor(secrets, { appId: 'a', list: 'l' }, changed)),
        changed,
      ).to.equal(true);
    }
    expect(refused(() => readCursor(secrets, { appId: 'a', list: 'l' }, `${cursor}.x`))).to.equal(true);
  });

  it('is refused under another SECRETS_KEY', () => {
    const of = { appId: 'a', list: 'l' };
    const other = new SecretBox(`${TEST_SECRETS_KEY}-other`);
    expect(refused(() => readCursor(other, of, writeCursor(secrets, of, 1)))).to.equal(true);
  });
});
