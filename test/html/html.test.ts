import { expect } from 'chai';
import fc from 'fast-check';
import { html } from '../../src/html/html.js';

describe('html', () => {
  it('escapes any text and quoted attributes', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        const inner = /^<p title="([^"]*)">([^<]*)<\/p>$/s.exec(html`<p title="${text}">${text}</p>`.text);
        expect(inner?.slice(1).map(unescape)).to.deep.equal([text, text]);
      }),
    );
  });

  it('keeps nested templates and lists and prints nothing for absent values', () => {
    const items = ['a', '<b>'].map((item) => html`<li>${item}</li>`);
    expect(html`<ul>${items}${undefined}${false}${null}</ul>`.text).to.equal(
      '<ul><li>a</li><li>&lt;b&gt;</li></ul>',
    );
  });

  it('refuses a link that could run something or leave the site unseen', () => {
    for (const url of [
      'javascript:alert(1)',
      ' javascript:alert(1)',
      'data:text/html,x',
      '//evil.example',
      'vbscript:x',
    ]) {
      expect(() => html`<a href="${url}">x</a>`, url).to.throw('A link must be');
    }
    for (const url of ['/connect', '#main', '?a=b', 'https://partner.example/back', '']) {
      expect(html`<a href="${url}">x</a>`.text).to.equal(`<a href="${url}">x</a>`);
    }
  });

  it('refuses values in places where they cannot be escaped', () => {
    expect(
      () =>
        html`<script>
          const a = ${'x'};
        </script>`,
    ).to.throw('script or style');
    expect(
      () =>
        html`<style>
          p {
            color: ${'red'};
          }
        </style>`,
    ).to.throw('script or style');
    expect(() => html`<input value=${'x onfocus=alert(1)'} />`).to.throw('bare in a tag');
    expect(() => html`<p title="${html`<b></b>`}">x</p>`).to.throw('attribute');
  });

  it('allows only markup as an unquoted value in a tag', () => {
    expect(html`<input ${html`checked`}${false}>`.text).to.equal('<input checked>');
  });
});

function unescape(text: string): string {
  const characters: Record<string, string> = {
    '&amp;': '&',
    '&lt;': '<',
    '&gt;': '>',
    '&quot;': '"',
    '&#39;': "'",
  };
  return text.replace(/&(amp|lt|gt|quot|#39);/g, (entity) => characters[entity] ?? entity);
}
