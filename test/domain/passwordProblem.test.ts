import { expect } from 'chai';
import fc from 'fast-check';
import { COMMON_PASSWORDS } from '../../src/domain/commonPasswords.js';
import { PASSWORD_LENGTH, passwordProblem } from '../../src/domain/passwordProblem.js';

describe('passwordProblem', () => {
  const refused = [
    'password1234',
    'Password2024!!',
    'P@ssw0rdP@ssw0rd',
    'qwertyuiop123',
    'aaaaaaaaaaaaaa',
    'abc1abc1abc1abc1',
    '123456789012',
    '987654321098',
    'letmeinletmein',
    'Welcome2Summer2025',
    'correcthorsebatterystaple',
    'ilona.maric2024',
    '1qaz2wsx3edc4rfv',
    'needforspeed',
    'Philadelphia!',
    '2024sonyericsson',
    'pl4yst4t10n3000',
    'Liverpool1892',
  ];
  for (const password of refused) {
    it(`refuses ${password}`, () => {
      expect(passwordProblem(password, 'ilona.maric@partner.example')).to.equal('password_known');
    });
  }

  for (const password of [
    'three-otters-play-chess',
    'gK4#vv91mQz!',
    'Der Nebel über Köln 7',
    'summer rain on tin roofs',
    'welcome-summer-monkey',
  ]) {
    it(`accepts ${password}`, () => {
      expect(passwordProblem(password, 'ilona.maric@partner.example')).to.equal(undefined);
    });
  }

  it('counts characters, not bytes', () => {
    expect(passwordProblem('日本語の長い秘密の言葉', '')).to.equal('password_short');
    expect(passwordProblem('日本語の長い秘密の言葉です', '')).to.equal(undefined);
    expect(passwordProblem('x9-'.repeat(43), '')).to.equal('password_long');
  });

  it('refuses every common password that is long enough, also with a year behind it', () => {
    const accepted = [...COMMON_PASSWORDS]
      .flatMap((common) => [common, `${common}2024`])
      .filter((text) => text.length >= PASSWORD_LENGTH.least && passwordProblem(text, '') === undefined);
    expect(accepted).to.deep.equal([]);
  });

  it('says the same whatever the case', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 40 }), (password) => {
        const ascii = password.replace(/[^\x20-\x7e]/g, '');
        expect(passwordProblem(ascii.toUpperCase(), 'a@b.example')).to.equal(
          passwordProblem(ascii.toLowerCase(), 'a@b.example'),
        );
      }),
    );
  });

  it('refuses a repeated piece', () => {
    fc.assert(
      fc.property(fc.string({ minLength: 1, maxLength: 4, unit: 'grapheme-ascii' }), (piece) => {
        expect(passwordProblem(piece.repeat(Math.ceil(12 / piece.length)), '')).to.equal('password_known');
      }),
    );
  });
});
