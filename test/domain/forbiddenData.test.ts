import { mock } from 'node:test';
import { expect } from 'chai';
import fc from 'fast-check';
import { findForbiddenData } from '../../src/domain/forbiddenData.js';
import { newId } from '../../src/domain/ids.js';

function kindsIn(value: unknown): string[] {
  return findForbiddenData(value).map(({ path, kind }) => `${path}: ${kind}`);
}

/** A number of the length that begins with the prefix and passes the Luhn check. */
function cardOf(prefix: string, length: number, filling: number): string {
  const body = (prefix + String(filling).padStart(19, '7')).slice(0, length - 1);
  for (let digit = 0; digit < 10; digit += 1) if (luhn(`${body}${digit}`)) return `${body}${digit}`;
  throw new Error('There is always a check digit.');
}

function luhn(digits: string): boolean {
  const sum = [...digits].toReversed().reduce((total, char, place) => {
    const weighed = place % 2 === 1 ? Number(char) * 2 : Number(char);
    return total + (weighed > 9 ? weighed - 9 : weighed);
  }, 0);
  return sum % 10 === 0;
}

const filling = fc.nat(999_999_999);

/** Prefixes and lengths that card networks issue. */
const NETWORKS: [string, number][] = [
  ['4', 13],
  ['4', 16],
  ['4', 19],
  ['51', 16],
  ['55', 16],
  ['2221', 16],
  ['2720', 16],
  ['34', 15],
  ['37', 15],
  ['6011', 16],
  ['65', 16],
  ['36', 14],
  ['3530', 16],
  ['62', 16],
  ['6759', 16],
];

/** What `forbiddenData` looks for in digits with separators, told without regard to speed. */
function holdsCard(text: string): boolean {
  const groups = text.split(/[ -]/);
  return groups.some((_, first) =>
    groups.some((_group, last) => isCard(groups.slice(first, last + 1).join(''))),
  );
}

function isCard(digits: string): boolean {
  return CARDS.some((pattern) => pattern.test(digits)) && new Set(digits).size > 1 && luhn(digits);
}

const CARDS = [
  /^[456]\d{15,18}$/,
  /^4\d{12}$/,
  /^2(?:20[0-4]|22[1-9]|2[3-9]\d|[3-6]\d\d|7[01]\d|720)\d{12}$/,
  /^3[47]\d{13}$/,
  /^3(?:0[0-5]|[689]\d)\d{11,16}$/,
  /^35(?:2[89]|[3-8]\d)\d{12,15}$/,
];

/** How many times the work tests a regular expression. */
function testsOf(work: () => void): number {
  const test = mock.method(RegExp.prototype, 'test');
  try {
    work();
    return test.mock.callCount();
  } finally {
    test.mock.restore();
  }
}

/** Digits, of a card number or any, with separators somewhere between them. */
const separated = fc
  .tuple(
    fc.array(
      fc.oneof(
        fc.stringMatching(/^\d{1,6}$/),
        fc.stringMatching(/^(?:2[27]|3[0-9])\d{12,17}$/),
        fc
          .tuple(fc.constantFrom(...NETWORKS), filling)
          .map(([[prefix, length], seed]) => cardOf(prefix, length, seed)),
      ),
      { minLength: 1, maxLength: 4 },
    ),
    fc.constantFrom(['', '', '', ' '], ['', '-'], ['-', ' '], [' ']),
    fc.infiniteStream(fc.nat(3)),
  )
  .map(([parts, separators, choices]) =>
    [...parts.join('')].reduce((text, digit) => {
      const { value: choice = 0 } = choices.next();
      return `${text}${separators[choice % separators.length] ?? ''}${digit}`;
    }),
  );

describe('forbiddenData', () => {
  describe('with forbidden data', () => {
    it('finds payment cards of every network, plain, grouped, within text, as number and as key', () => {
      fc.assert(
        fc.property(fc.constantFrom(...NETWORKS), filling, ([prefix, length], seed) => {
          const card = cardOf(prefix, length, seed);
          const grouped = card.replace(/(\d{4})(?=\d)/g, '$1 ');
          for (const text of [
            card,
            grouped,
            grouped.replaceAll(' ', '-'),
            `my card is ${card}.`,
            `nr:${card}`,
          ]) {
            expect(kindsIn(text), text).to.deep.equal([': payment card']);
          }
          if (length <= 16) expect(kindsIn({ a: [Number(card)] })).to.deep.equal(['a[0]: payment card']);
          expect(kindsIn({ a: { [card]: true } })).to.deep.equal(['a: payment card']);
        }),
      );
    });

    it('finds government ids, bank accounts and credentials in any text', () => {
      for (const [text, kind] of [
        ['ssn 219-09-9999', 'government id'],
        ['P<UTOERIKSSON<<ANNA<MARIA<<<<<<<<<<<<<<<<<<<', 'government id'],
        ['I<UTOD231458907<<<<<<<<<<<<<<<7408122F1204159UTO<<<<<<<<<<<6', 'government id'],
        ['GB82 WEST 1234 5698 7654 32', 'payment card'],
        ['DE89370400440532013000', 'payment card'],
        ['-----BEGIN RSA PRIVATE KEY-----', 'credential'],
        ['AKIAIOSFODNN7EXAMPLE', 'credential'],
        ['postgres://admin:hunter2@db.example/main', 'credential'],
        ['eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.c2lnbmF0dXJlLWhlcmU', 'credential'],
        ['$argon2id$v=19$m=65536', 'credential'],
        ['Bearer abcdefghijklmnopqrstuvwxyz012345', 'credential'],
        ['send Authorization: bearer\nabcdefghij.KLMNOPQRST_uvwxyz-9', 'credential'],
        ['Basic YWxhZGRpbjpvcGVuc2VzYW1l', 'credential'],
        ['Basic YWRtaW46YWRtaW4=', 'credential'],
        ['curl -H "authorization: BASIC YWI6Yw==" https://api.example', 'credential'],
        ['basic asO8OmLDpA', 'credential'],
        ['Bearer 1234567890', 'credential'],
        ['Authorization: bearer abcd1234==', 'credential'],
        ['password: hunter2', 'credential'],
        ['my login is ann, Password=hunter2', 'credential'],
        ['{"db_password":"hunter2"}', 'credential'],
        ['API key: 0a1b2c3d', 'credential'],
        ['https://api.example/x?access_token=abcd1234', 'credential'],
        ['clientSecret = "s3cr3t"', 'credential'],
        ['pwd\uff1ahunter2', 'credential'],
      ] as const) {
        expect(kindsIn({ note: text }), text).to.deep.equal([`note: ${kind}`]);
      }
    });

    it('finds card numbers whatever separates their groups, and in digits of any script', () => {
      for (const separator of ['.', '/', '_', '  ', ' - ', '\n', '\t', '\u00a0'])
        expect(kindsIn(['4111', '1111', '1111', '1111'].join(separator)), separator).to.deep.equal([
          ': payment card',
        ]);
      expect(kindsIn('3782.822463.10005')).to.deep.equal([': payment card']);
      expect(kindsIn('+4111111111111111')).to.deep.equal([': payment card']);
      for (const zero of [0x0660, 0x06f0, 0x0966, 0xff10]) {
        const written = [...'4111111111111111'].map((digit) => String.fromCodePoint(zero + Number(digit)));
        expect(kindsIn(written.join('')), String.fromCodePoint(zero)).to.deep.equal([': payment card']);
      }
      expect(kindsIn('de89370400440532013000')).to.deep.equal([': payment card']);
      expect(kindsIn('born 1980, 123 45 6789')).to.deep.equal([': government id']);
    });

    it('finds members by name in any spelling at any depth', () => {
      for (const name of [
        'password',
        'user_password',
        'apiKey',
        'API_KEY',
        'clientSecret',
        'access-token',
        'cvv',
        'PIN',
        'authorization',
        'Authorization',
        'AUTHORIZATION',
        'proxy-authorization',
        'ProxyAuthorization',
        'x_authorization',
        'authorization header',
      ]) {
        expect(kindsIn({ deep: [{ [name]: 'x' }] }), name).to.deep.equal([`deep[0].${name}: credential`]);
      }
      for (const item of [['x'], { a: 'x' }, { a: [{ b: 1 }] }])
        expect(kindsIn({ password: item }), JSON.stringify(item)).to.deep.equal(['password: credential']);
      for (const name of ['passwords', 'USERPASSWORD', 'apiKeys', 'myPassphrase'])
        expect(kindsIn({ [name]: 'x' }), name).to.deep.equal([`${name}: credential`]);
      for (const name of ['ssn', 'passport_number', 'nationalId', 'tax_id', 'driversLicense'])
        expect(kindsIn({ [name]: '1' }), name).to.deep.equal([`${name}: government id`]);
      for (const name of ['card_number', 'creditCard', 'iban', 'pan'])
        expect(kindsIn({ [name]: 1 }), name).to.deep.equal([`${name}: payment card`]);
    });
  });

  describe('with harmless data', () => {
    it('ignores telephone numbers in usual notations', () => {
      const national = fc.nat(99_999_999).map((value) => String(value).padStart(8, '0'));
      fc.assert(
        fc.property(
          fc.constantFrom('49151', '44791', '393', '3460', '61412', '8613', '5511'),
          national,
          fc.nat(9),
          (start, rest, last) => {
            const number = `${start}${rest}${last}`.slice(0, 15);
            for (const text of [
              `+${number}`,
              `+${start} ${rest}`,
              `+${start.slice(0, 2)} ${start.slice(2)} ${rest.slice(0, 4)} ${rest.slice(4)}`,
              `tel:+${number}`,
            ])
              expect(kindsIn(text), text).to.deep.equal([]);
          },
        ),
        { numRuns: 1000 },
      );
    });

    it('ignores times in usual forms', () => {
      const between = { min: new Date('1990-01-01'), max: new Date('2039-01-01'), noInvalidDate: true };
      fc.assert(
        fc.property(fc.date(between), (date) => {
          const iso = date.toISOString();
          const compact = iso.replace(/\D/g, '');
          for (const text of [
            iso,
            iso.replace(/[:T.]/g, '-'),
            compact,
            compact.slice(0, 14),
            `${compact}000`,
            compact.replace(/^(\d{8})/, '$1 '),
          ])
            expect(kindsIn(text), text).to.deep.equal([]);
          const time = date.getTime();
          expect(kindsIn({ seconds: time / 1000, milliseconds: time, micro: time * 1000 })).to.deep.equal([]);
        }),
        { numRuns: 1000 },
      );
    });

    it('ignores typical identifiers', () => {
      fc.assert(
        fc.property(fc.uuid(), fc.nat(), (uuid, count) => {
          const ids = [
            uuid,
            uuid.replaceAll('-', ''),
            newId('cus'),
            `order-${count}`,
            `SKU ${count}-${count % 1000}`,
            `v1.${count}.${count}`,
          ];
          for (const id of ids) expect(kindsIn({ id }), id).to.deep.equal([]);
        }),
        { numRuns: 1000 },
      );
      for (const id of ['550e8400-2716-4466-4444-444444444448', '00000000-4111-1111-1111-111111111111'])
        expect(kindsIn(id), id).to.deep.equal([]);
    });

    it('ignores prose with the words of credentials', () => {
      for (const text of [
        'Basic training',
        'Basic internationalization and localization',
        'Basic training/fitness/nutrition',
        'A ring bearer of extraordinary-responsibilities',
        'My secret: always smile',
        'Forgot the password? Ask me',
        'password: no',
        'reset your password: https://shop.example/reset',
        'the password is not here',
        'monkey: banana',
        'Bearer token',
        'Basic information',
        'basic plan2024',
        'Basic 05060708',
        'Basic A1:B2',
        'Basic Only',
        'Basic Operator',
        'BASIC TRAINING',
        'Bearer of news',
        'a ring bearer 2026-11-01',
        'Authorization: granted by phone',
      ])
        expect(kindsIn(text), text).to.deep.equal([]);
    });

    it('ignores words that only resemble a secret', () => {
      const harmless = {
        shipping: 'x',
        pinned: true,
        spinner: 'y',
        passport_country: 'DE',
        token_count: 3,
        map_pin: 'harbour',
        marketing_authorization: 'by phone',
        authorization: true,
        authorization_date: '2026-01-01',
        pancake: 'z',
        zip: '12345-6789',
        isbn: '978-3-16-148410-0',
        password_changed: false,
        password: { isSet: true, changed: null },
        dates: '2026.1126.1017.2811',
        tax: '079 123 45 67',
      };
      expect(kindsIn(harmless)).to.deep.equal([]);
    });
  });

  it('finds the same card numbers in digits with separators as a plain search', () => {
    const cards = { found: 0, missing: 0 };
    fc.assert(
      fc.property(separated, (text) => {
        const kinds = kindsIn(text);
        fc.pre(kinds[0] !== ': government id');
        const holds = holdsCard(text);
        cards[holds ? 'found' : 'missing'] += 1;
        expect(kinds, text).to.deep.equal(holds ? [': payment card'] : []);
      }),
      { numRuns: 2000 },
    );
    expect(cards.found, 'with a card').to.be.above(200);
    expect(cards.missing, 'without').to.be.above(200);
  });

  it('runs as many regular expressions on many groups of digits as on few', () => {
    for (const unit of ['1-', '0 ', '4\u2013', '12-', '4 0 ']) {
      const [few, many] = [100, 1000].map((groups) => testsOf(() => findForbiddenData(unit.repeat(groups))));
      expect(many, unit).to.equal(few);
    }
  });

  it('looks for text only in members whose name is that of forbidden data', () => {
    let deep: unknown = Array.from({ length: 1000 }, () => ({}));
    for (let depth = 0; depth < 30; depth += 1) deep = { a: deep };
    const values = mock.method(Object, 'values');
    try {
      findForbiddenData(deep);
      expect(values.mock.callCount()).to.equal(0);
    } finally {
      values.mock.restore();
    }
  });

  it('never throws and takes time in proportion to the length of hostile text', () => {
    fc.assert(fc.property(fc.anything(), (value) => void findForbiddenData(value)));
    const units = [
      ...['A', 'A<', 'a.', 'eyJ-', 'a://', 'a:', '4', '4 ', '-----BEGIN ', 'AB12', '<<', '1-'],
      ...[
        'Bearer ',
        'Bearer aaaaaaaaaaaaaaaaaaaaaaaaa ',
        'basic/',
        'Basic YTpi ',
        'password',
        'password:',
        'api-key= ',
      ],
      '\u0301'.repeat(50_000) + '\u0316'.repeat(50_000),
    ];
    for (const unit of units) {
      const started = process.cpuUsage().user;
      const hostile = unit.repeat(Math.ceil(200_000 / unit.length));
      for (const text of [hostile, `Bearer ${hostile}`, `password${hostile}`]) findForbiddenData(text);
      const spentMs = (process.cpuUsage().user - started) / 1000;
      // Not a measurement: text of this length takes quadratic patterns minutes.
      expect(spentMs, unit.slice(0, 40)).to.be.below(3000);
    }
  });
});
