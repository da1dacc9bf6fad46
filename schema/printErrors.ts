import { DETAIL_CODES, ERRORS, GRAPHQL_CODES, OUTCOME_CODES } from '../src/errorCatalogue.js';

const HEADER = `# Errors

Made by \`npm run schema:print\` from \`src/errorCatalogue.ts\`; a test fails when it is out of date.

Every error carries \`documentation_url\`, which leads to its code on this page. REST sends codes in lower case
in \`error.code\`, GraphQL in upper case in \`extensions.code\`. Codes of single problems stand in
\`details[].code\`, in lower case through both doors: there are at most 50 of them, and \`details_omitted\`
(GraphQL: \`detailsOmitted\`) says how many more there were. What a code means does not change; new codes may be
added, so treat one that you do not know by its status.

On \`/oauth/authorize\`, \`/oauth/token\` and \`/oauth/revoke\` errors have the shape of RFC 6749 instead.
`;

/** The catalogue of errors as Markdown, in which the id of each code is the code. */
export function printErrors(): string {
  const errors = Object.entries(ERRORS).map(
    ([code, { status, when, remedy }]) =>
      `${anchor(code)}\n\n### \`${code}\`\n\nStatus ${status}, in GraphQL \`${code.toUpperCase()}\`. ${when}\n\n**What to do.** ${remedy}\n`,
  );
  return [
    HEADER,
    '## Codes of errors\n',
    ...errors,
    '## Codes of details\n',
    'One of `details` says what is wrong with one field, parameter or header.\n',
    ...described(DETAIL_CODES),
    '## Codes of outcomes\n',
    'They stand in the `error` of an event or a workflow, or in the `error_code` of a webhook delivery or attempt, or in the request log, beside the codes above.\n',
    ...described(OUTCOME_CODES),
    "## GraphQL's own\n",
    ...described(GRAPHQL_CODES),
  ]
    .join('\n')
    .replace(/\n{3,}/g, '\n\n');
}

/** A code in several lists has its id in the first list. */
function described(codes: Readonly<Record<string, string>>): string[] {
  return Object.entries(codes).map(([code, meaning]) => {
    const isRepeated = codes !== DETAIL_CODES && Object.hasOwn(DETAIL_CODES, code);
    return `${isRepeated ? '' : `${anchor(code)}\n\n`}### \`${code}\`\n\n${meaning}\n`;
  });
}

/** A heading of one word in lower case has itself as its id. */
function anchor(code: string): string {
  return /^[a-z]+$/.test(code) ? '' : `<a id="${code}"></a>`;
}
