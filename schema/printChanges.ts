import { buildSchema, isEnumType, isInputObjectType, isInterfaceType, isObjectType } from 'graphql';
import type { GraphQLNamedType, GraphQLSchema } from 'graphql';

/** Both contracts as text: the SDL, and the OpenAPI document. */
export interface Contracts {
  sdl: string;
  openApi: string;
}

const HEADER = `# What grew

Made by \`npm run schema:print\` by comparing both contracts with those of the first version, in
\`schema/baseline\`; a test fails when it is out of date, and another when anything of the first version was
taken away. Nothing in this list asks for a change in a client.
`;

/** Lists in Markdown what the contracts have and those of the first version did not have. */
export function printChanges(first: Contracts, now: Contracts): string {
  const rest = added(operationsOf(first.openApi), operationsOf(now.openApi));
  const members = added(membersOf(first.openApi), membersOf(now.openApi)).filter(
    (member) => !rest.some((operation) => member.startsWith(`${operation} `)),
  );
  const items = added(itemsOf(buildSchema(first.sdl)), itemsOf(buildSchema(now.sdl)));
  const types = items.filter((item) => !item.includes('.'));
  const inner = items.filter(
    (item) => item.includes('.') && !types.includes(item.slice(0, item.indexOf('.'))),
  );
  return [
    HEADER,
    section('REST operations', rest),
    section('REST query parameters', members),
    section('GraphQL types', types),
    section('GraphQL fields, arguments and values', inner),
  ].join('\n');
}

function section(title: string, names: readonly string[]): string {
  return `## ${title}\n\n${names.map((name) => `- \`${name}\`\n`).join('')}`;
}

function added(before: readonly string[], after: readonly string[]): string[] {
  const known = new Set(before);
  return after.filter((name) => !known.has(name)).toSorted();
}

interface OpenApi {
  paths: Record<string, Record<string, { parameters?: { in?: string; name?: string }[] }>>;
}

/** OAuth, discovery and the document itself existed from the first version on, but were not documented. */
function operationsOf(openApi: string): string[] {
  const { paths } = JSON.parse(openApi) as OpenApi;
  const ofVersion = Object.entries(paths).filter(
    ([path]) => path.startsWith('/v1/') && path !== '/v1/openapi.json',
  );
  return ofVersion.flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
  );
}

/** Query parameters, each after its operation. */
function membersOf(openApi: string): string[] {
  const { paths } = JSON.parse(openApi) as OpenApi;
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([method, { parameters = [] }]) =>
      parameters
        .filter(
          (parameter) => parameter.in === 'query' && !['limit', 'cursor'].includes(parameter.name ?? ''),
        )
        .map(({ name = '' }) => `${method.toUpperCase()} ${path} ?${name}`),
    ),
  );
}

function itemsOf(schema: GraphQLSchema): string[] {
  const types = Object.values(schema.getTypeMap()).filter(({ name }) => !name.startsWith('__'));
  return types.flatMap((type) => [
    type.name,
    ...membersOfType(type).map((member) => `${type.name}.${member}`),
  ]);
}

function membersOfType(type: GraphQLNamedType): string[] {
  if (isEnumType(type)) return type.getValues().map(({ name }) => name);
  if (isInputObjectType(type)) return Object.keys(type.getFields());
  if (!isObjectType(type) && !isInterfaceType(type)) return [];
  return Object.values(type.getFields()).flatMap(({ name, args }) => [
    name,
    ...args.map((argument) => `${name}(${argument.name}:)`),
  ]);
}
