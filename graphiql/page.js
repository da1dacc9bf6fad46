import { GraphiQL } from 'graphiql';
import 'graphiql/style.css';
import { useOperationsEditorState, useVariablesEditorState } from '@graphiql/react';
import { getOperationAST, parse } from 'graphql';
import { createClient } from 'graphql-sse';
import { createElement as h, Fragment } from 'react';
import { createRoot } from 'react-dom/client';
import { CopyAsCurl } from './CopyAsCurl.js';
import { mendAccessibility } from './mendAccessibility.js';
import { PhoneTabs, showPart } from './PhoneTabs.js';
import './page.css';

const root = document.getElementById('graphiql');
const { appId, owner, examples, texts } = JSON.parse(root.dataset.config);

forgetOthers();

/** The service refuses what is asked for another app than the one that is open in this browser by now. */
const forApp = `?${new URLSearchParams({ app_id: appId })}`;

/**
 * What GraphiQL keeps in this browser is one person's. A session can end without its sign-out, which clears
 * it. The key is not among GraphiQL's own, which its settings can clear.
 */
function forgetOthers() {
  const KEY = 'graphiql-owner';
  if (localStorage.getItem(KEY) === owner) return;
  for (const key of Object.keys(localStorage)) if (key.startsWith('graphiql:')) localStorage.removeItem(key);
  localStorage.setItem(KEY, owner);
}

/** The bearer token is added by the server: this page never sees it. */
async function send(parameters) {
  return fetch(`/graphiql/query${forApp}`, {
    method: 'POST',
    headers: {
      'Content-Type': 'application/json',
      Accept: 'application/graphql-response+json, application/json',
    },
    body: JSON.stringify(parameters),
  });
}

/**
 * The elapsed time covers the network and this service; what is left of the quota is the `RateLimit` header
 * as sent.
 */
function showCost(answer, startedAt) {
  const quota = answer.headers.get('RateLimit');
  const cost = answer.headers.get('X-Request-Cost');
  say([
    `${texts.elapsed} ${Math.round(performance.now() - startedAt)} ms`,
    ...(cost === null ? [] : [`${texts.cost} ${cost}`]),
    ...(quota === null ? [] : [`RateLimit: ${quota}`]),
  ]);
}

function say(parts) {
  document.getElementById('answer-cost').textContent = parts.join(' · ');
}

/** `crypto.randomUUID` is missing where the page is not served over TLS. */
function freshKey() {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

function variablesOf({ variables }) {
  return 'key' in variables ? { ...variables, key: freshKey() } : variables;
}

/**
 * GraphiQL reads the operation's name from the editor a moment after the text has changed. Run before that,
 * it would ask for an operation of the former text by name: where the name is not in the text, there is none
 * to ask for.
 */
function withoutStaleName({ operationName, ...parameters }) {
  return hasOperation(parameters.query, operationName) ? { ...parameters, operationName } : parameters;
}

function hasOperation(text, name) {
  return operationOf(text, name) !== null;
}

function operationOf(text, name) {
  try {
    return getOperationAST(parse(text), name) ?? null;
  } catch {
    // What is wrong with the text is told by the answer.
    return null;
  }
}

/** Shown instead of an answer that did not come, for which GraphiQL would show a stack. */
const unreachable = { errors: [{ message: texts.unreachable }] };

/** Renews the token where it is no longer good; where that is refused, the person signs in again. */
async function withRenewal(ask) {
  const answer = await ask();
  if (answer.status !== 401) return answer;
  const renewed = await fetch(`/graphiql/renew${forApp}`);
  if (renewed.status === 204) return ask();
  if (renewed.status >= 500) throw new Error(texts.unreachable);
  location.assign('/graphiql');
  return undefined;
}

/** Events come until the subscription is stopped; the first connection that breaks ends it. */
const streams = createClient({
  url: `/graphiql/live${forApp}`,
  retryAttempts: 0,
  fetchFn: (address, request) => withRenewal(() => fetch(address, request)),
});

/**
 * The events, and at last that the service cannot be reached where that ends them. Where the token ends, they
 * go on under another one after the last that was told.
 */
function eventsOf(parameters) {
  let stream = streams.iterate(parameters);
  let lastEventId;
  const told = (error) => {
    if (error.response?.status < 500) throw error;
    return { done: false, value: unreachable };
  };
  const next = async () => {
    const step = await stream.next().catch(told);
    if (!isOfEndedToken(step.value)) {
      lastEventId = step.value?.extensions?.eventId ?? lastEventId;
      return step;
    }
    void stream.return();
    stream = streams.iterate({ ...parameters, extensions: { lastEventId } });
    return next();
  };
  const events = { next, return: () => stream.return(), [Symbol.asyncIterator]: () => events };
  return events;
}

function isOfEndedToken(event) {
  return event?.errors?.some(({ extensions }) => extensions?.code === 'UNAUTHENTICATED') === true;
}

async function fetcher(written) {
  const parameters = withoutStaleName(written);
  // An introspection is GraphiQL's own question.
  const isAsked = parameters.operationName !== 'IntrospectionQuery';
  if (isAsked) showPart('answer');
  if (operationOf(parameters.query, parameters.operationName)?.operation === 'subscription') {
    say([]);
    return eventsOf(parameters);
  }
  let startedAt;
  try {
    const answer = await withRenewal(() => {
      startedAt = performance.now();
      return send(parameters);
    });
    const result = await answer?.json();
    if (isAsked && answer !== undefined) showCost(answer, startedAt);
    return result;
  } catch {
    return unreachable;
  }
}

function Examples() {
  const [, setOperation] = useOperationsEditorState();
  const [, setVariables] = useVariablesEditorState();
  const choose = (example) => {
    setOperation(example.query);
    setVariables(JSON.stringify(variablesOf(example), null, 2));
    showPart('editor');
  };
  const items = examples.map((example) =>
    h(
      'li',
      { key: example.name },
      h('button', { type: 'button', onClick: () => choose(example) }, example.name),
    ),
  );
  return h(
    'section',
    { className: 'examples' },
    h('h2', null, texts.examples),
    h('p', null, texts.hint),
    h('ul', null, items),
  );
}

/** The rights lie over the workbench: the escape key and a press elsewhere put them away. */
function closeRights(event) {
  const rights = document.querySelector('.scopes');
  if (event.type === 'keydown' ? event.key === 'Escape' : !rights.contains(event.target)) rights.open = false;
}
addEventListener('pointerdown', closeRights, true);
addEventListener('keydown', closeRights, true);

/** A newcomer does not look for examples behind a symbol alone. */
const icon = () =>
  h(
    'span',
    { className: 'examples-icon', 'aria-hidden': true },
    h('svg', { viewBox: '0 0 24 24', fill: 'none', stroke: 'currentColor', strokeWidth: 1.5 }, [
      h('path', { key: 1, d: 'M5 3h11l3 3v15H5z' }),
      h('path', { key: 2, d: 'M8 9h8M8 13h8M8 17h5' }),
    ]),
    texts.examples,
  );

// GraphiQL 4 leaves out the variables of default tabs: begin with an operation that needs none.
const first = examples.find((example) => Object.keys(example.variables).length === 0);
mendAccessibility(root, texts);
const tools = ({ prettify, merge, copy }) =>
  h(
    Fragment,
    null,
    prettify,
    merge,
    copy,
    h(CopyAsCurl, { texts, onCopied: () => say([texts.copied]) }),
    h(PhoneTabs, { root, texts }),
  );
const options = {
  fetcher,
  isHeadersEditorEnabled: false,
  plugins: [{ title: texts.examples, icon, content: Examples }],
  defaultTabs: [{ query: `# ${texts.begin}\n${first.query}` }],
};
createRoot(root).render(h(GraphiQL, options, h(GraphiQL.Toolbar, null, tools)));
