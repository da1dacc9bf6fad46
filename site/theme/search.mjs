/** Names of fields, error codes and events: parts that are joined by `_`. */
const NAME = /[\p{L}\p{N}]+(?:_[\p{L}\p{N}]+)+/gu;

const SPACE_OR_PUNCTUATION = /[\n\r\p{Z}\p{P}]+/u;

/** Words that say nothing of what is looked for. */
const FILLERS = new Set(['a', 'an', 'and', 'be', 'do', 'does', 'how', 'i', 'is', 'of', 'the', 'to', 'what']);

/**
 * The search splits text at `_`. What it indexes also has each name in one word (`client_token` as
 * `clienttoken`, which `clientToken` of GraphQL is too), as is looked for.
 */
export function withWholeNames(html) {
  const parts = html.split(/(<h\d[\s\S]*?<\/h\d>)/);
  return parts.map((part, place) => part + joinedNames(part, place % 2 === 1)).join('');
}

function joinedNames(html, isHeading) {
  const names = html.replaceAll(/<[^>]*>/g, '').match(NAME) ?? [];
  const words = names.map(joined).join(' ');
  // Text is indexed with the heading before it.
  return words === '' ? '' : isHeading ? `<p>${words}</p>` : ` ${words} `;
}

const joined = (name) => name.replaceAll('_', '');

/** How the search box looks: set in the browser, as functions in the configuration would need `eval`. */
export const searchOptions = {
  tokenize: (query) => query.replaceAll(NAME, joined).split(SPACE_OR_PUNCTUATION),
  processTerm: (word) => {
    const term = word.toLowerCase();
    return FILLERS.has(term) ? null : term;
  },
  prefix: (term) => term.length > 1,
  fuzzy: (term) => (term.length > 4 ? 0.2 : false),
  // What is spelled exactly so comes first.
  weights: { prefix: 0.3, fuzzy: 0.1 },
  // The references repeat in a line what a page explains.
  boostDocument: (id) => (id.startsWith('/docs/reference/') ? 0.5 : 1),
};
