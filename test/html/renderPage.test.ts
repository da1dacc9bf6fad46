import { expect } from 'chai';
import { html } from '../../src/html/html.js';
import { renderPage } from '../../src/html/renderPage.js';

describe('A rendered page', () => {
  const titleOf = (isRefusal?: boolean): string | undefined => {
    const page = { locale: 'en', title: 'Sign in', body: html`<p>Hello</p>` } as const;
    const text = renderPage(isRefusal === undefined ? page : { ...page, isRefusal });
    return /<title>(.*)<\/title>/.exec(text)?.[1];
  };

  it('says in its title first that something was refused', () => {
    expect(titleOf(true)).to.match(/^Error: Sign in · /);
    expect(titleOf(false)).to.match(/^Sign in · /);
    expect(titleOf()).to.match(/^Sign in · /);
  });
});
