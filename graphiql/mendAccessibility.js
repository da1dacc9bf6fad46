/**
 * What GraphiQL 4 leaves out for people who use a keyboard or a screen reader: names of its editors, a way
 * out of them with the tab key, scrolling by keyboard, and tabs that do not nest one control in another.
 */
export function mendAccessibility(root, texts) {
  const mend = () => {
    for (const element of root.querySelectorAll('.CodeMirror')) mendEditor(element, texts);
    root.querySelector('.graphiql-tabs')?.removeAttribute('role');
    for (const tab of root.querySelectorAll('.graphiql-tab')) mendTab(tab);
  };
  new MutationObserver(mend).observe(root, {
    subtree: true,
    childList: true,
    attributeFilter: ['aria-selected'],
  });
}

function mendEditor(element, texts) {
  const input = element.querySelector('textarea');
  if (input === null || input.hasAttribute('aria-label')) return;
  input.setAttribute('aria-label', nameOf(element, texts));
  element.querySelector('.CodeMirror-scroll')?.setAttribute('tabindex', '0');
  const editor = element.CodeMirror;
  editor.setOption('extraKeys', { ...editor.getOption('extraKeys'), Tab: false, 'Shift-Tab': false });
}

function nameOf(element, texts) {
  if (element.closest('.result-window')) return texts.result;
  return element.closest('.graphiql-query-editor') ? texts.operation : texts.variables;
}

function mendTab(tab) {
  const selected = tab.getAttribute('aria-selected');
  tab.removeAttribute('role');
  if (selected === null) return;
  tab.removeAttribute('aria-selected');
  tab.querySelector('button')?.setAttribute('aria-current', selected);
}
