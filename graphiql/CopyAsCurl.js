import { ToolbarButton, useEditorContext } from '@graphiql/react';
import { getOperationAST, parse } from 'graphql';
import { createElement as h } from 'react';

/** Copies the open tab as a command for a shell. The token is a variable of the shell: this page has none. */
export function CopyAsCurl({ texts, onCopied }) {
  const { queryEditor, variableEditor } = useEditorContext({ nonNull: true });
  const copy = async () => {
    const name = queryEditor?.operationName;
    await put(curlFor(queryEditor?.getValue() ?? '', variableEditor?.getValue() ?? '', name));
    onCopied();
  };
  return h(
    ToolbarButton,
    { label: texts.copyCurl, onClick: () => void copy() },
    h(
      'svg',
      {
        viewBox: '0 0 20 20',
        className: 'graphiql-toolbar-icon',
        fill: 'none',
        stroke: 'currentColor',
        'aria-hidden': true,
      },
      h('path', { d: 'M3 5l5 5-5 5M10 15h7', strokeWidth: 1.5 }),
    ),
  );
}

function curlFor(query, variables, operationName) {
  const body = { query, ...variablesIn(variables), ...(needsName(query) ? { operationName } : {}) };
  return [
    `curl ${quoted(`${location.origin}/graphql`)}`,
    '-H "Authorization: Bearer $ACCESS_TOKEN"',
    "-H 'Content-Type: application/json'",
    `--data-binary ${quoted(JSON.stringify(body))}`,
  ].join(' \\\n  ');
}

function variablesIn(text) {
  try {
    return { variables: JSON.parse(text) };
  } catch {
    // An empty editor, or one that is being written in.
    return {};
  }
}

function needsName(query) {
  try {
    return getOperationAST(parse(query)) === null;
  } catch {
    return false;
  }
}

/** For a POSIX shell, which takes everything between single quotes as it is. */
function quoted(text) {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

/** The clipboard of browsers is there over TLS and on the own machine only. */
async function put(text) {
  if (navigator.clipboard !== undefined) return navigator.clipboard.writeText(text);
  const area = document.body.appendChild(Object.assign(document.createElement('textarea'), { value: text }));
  area.select();
  document.execCommand('copy');
  area.remove();
}
