import { usePluginStore } from '@graphiql/react';
import { createElement as h, useEffect, useState } from 'react';
import { createPortal } from 'react-dom';

const CHANGED = 'graphiql-view';
const DOCS = 'Documentation Explorer';

/** Shows one part where the page is as narrow as a phone: `docs`, `examples`, `editor` or `answer`. */
export function showPart(part) {
  dispatchEvent(new CustomEvent(CHANGED, { detail: part }));
}

/**
 * Above the workbench on a phone, which has room for one part of it. Everywhere else the style sheet hides
 * it.
 */
export function PhoneTabs({ root, texts }) {
  const [part, setPart] = useState('editor');
  const setVisiblePlugin = usePluginStore((store) => store.setVisiblePlugin);
  useEffect(() => {
    const onChange = ({ detail }) => setPart(detail);
    addEventListener(CHANGED, onChange);
    return () => removeEventListener(CHANGED, onChange);
  }, []);
  useEffect(() => {
    root.dataset.part = part;
    // An editor that was hidden has measured nothing.
    for (const editor of root.querySelectorAll('.CodeMirror')) editor.CodeMirror.refresh();
  }, [root, part]);
  const choose = (name) => {
    if (name === 'docs') setVisiblePlugin(DOCS);
    if (name === 'examples') setVisiblePlugin(texts.examples);
    setPart(name);
  };
  const names = { docs: texts.docs, examples: texts.examples, editor: texts.editor, answer: texts.answer };
  const buttons = Object.entries(names).map(([name, label]) =>
    h(
      'button',
      {
        key: name,
        type: 'button',
        'aria-pressed': name === part,
        'data-part': name,
        onClick: () => choose(name),
      },
      label,
    ),
  );
  return createPortal(buttons, document.getElementById('graphiql-parts'));
}
