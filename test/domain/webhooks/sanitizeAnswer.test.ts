import { expect } from 'chai';
import fc from 'fast-check';
import { sanitizeAnswer } from '../../../src/domain/webhooks/sanitizeAnswer.js';

describe('sanitizeAnswer', () => {
  it('keeps plain text and line breaks', () => {
    expect(sanitizeAnswer(Buffer.from('{"ok":true}\r\n\tgrün'))).to.equal('{"ok":true}\n\tgrün');
  });

  it('replaces control characters, escape sequences and broken UTF-8', () => {
    expect(sanitizeAnswer(Buffer.from([65, 0, 27, 91, 51, 49, 109, 0xff, 66]))).to.equal(
      'A\uFFFD\uFFFD[31m\uFFFDB',
    );
  });

  it('hides signing secrets', () => {
    expect(sanitizeAnswer(Buffer.from('bad key whsec_AbC+/=!'))).to.equal('bad key whsec_…!');
  });

  it('is bounded and holds no control character, for any input', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 3000 }), (bytes) => {
        const text = sanitizeAnswer(Buffer.from(bytes));
        expect(text.length).to.be.at.most(1024);
        expect(text).not.to.match(/[^\P{Cc}\n\t]/u);
      }),
    );
  });
});
