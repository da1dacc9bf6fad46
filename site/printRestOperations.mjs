const METHODS = ['get', 'post', 'put', 'patch', 'delete'];

/** How deep the members of a body or an answer are named: an answer's record, and its members. */
const DEPTH = 2;

/**
 * A page with each operation of the OpenAPI document and the names of what it takes and answers. The REST
 * reference is rendered in the browser, so the search has nothing of it but this page.
 */
export function printRestOperations(openapi) {
  const operations = Object.entries(openapi.paths).flatMap(([path, item]) =>
    METHODS.filter((method) => item[method] !== undefined).map((method) => ({
      path,
      method,
      ...item[method],
    })),
  );
  const sections = openapi.tags.map(({ name, description }) => {
    const own = operations.filter(({ tags }) => tags[0] === name);
    const printed = own.map((operation) => printOperation(openapi, operation)).join('\n\n');
    return `## ${name}\n\n${plain(description)}\n\n${printed}`;
  });
  const intro = 'What each operation takes and answers, by name. The REST reference describes each in full.';
  return `# REST operations\n\n${intro}\n\n${sections.join('\n\n')}\n`;
}

function printOperation(openapi, { path, method, tags, operationId, summary, description, ...operation }) {
  const { parameters = [], requestBody, responses } = operation;
  const filters = parameters.map((parameter) => resolved(openapi, parameter));
  const inQuery = filters.filter((parameter) => parameter.in === 'query').map(({ name }) => name);
  const bodies = Object.entries(responses).filter(([status]) => status.startsWith('2'));
  const answered = bodies.flatMap(([, response]) => membersOf(openapi, schemaOf(openapi, response)));
  const link = `/docs/rest.html#tag/${tags[0].replaceAll(' ', '-')}/operation/${operationId}`;
  const lines = [
    `### ${summary}`,
    `<a href="${link}" target="_self"><code>${method.toUpperCase()} ${path}</code></a> ${plain(description)}`,
    named('Query', inQuery),
    named('Body', requestBody === undefined ? [] : membersOf(openapi, schemaOf(openapi, requestBody))),
    named('Answer', answered),
  ];
  return lines.filter((line) => line !== '').join('\n\n');
}

function named(title, names) {
  const unique = [...new Set(names)].map((name) => `\`${name}\``);
  return unique.length === 0 ? '' : `${title}: ${unique.join(', ')}.`;
}

function schemaOf(openapi, reference) {
  const [content] = Object.values(resolved(openapi, reference).content ?? {});
  return content?.schema ?? {};
}

function membersOf(openapi, schema, depth = DEPTH) {
  const { properties = {}, items, anyOf = [], oneOf = [], allOf = [] } = resolved(openapi, schema);
  const same = [...(items === undefined ? [] : [items]), ...anyOf, ...oneOf, ...allOf];
  const own = Object.entries(properties).flatMap(([name, member]) => [
    name,
    ...(depth > 1 ? membersOf(openapi, member, depth - 1) : []),
  ]);
  return [...own, ...same.flatMap((other) => membersOf(openapi, other, depth))];
}

function resolved(openapi, value) {
  if (value.$ref === undefined) return value;
  const target = value.$ref
    .slice(2)
    .split('/')
    .reduce((found, key) => found[key], openapi);
  return resolved(openapi, target);
}

const plain = (text = '') => text.replaceAll('<', '&lt;').replaceAll('{{', '{ {');
