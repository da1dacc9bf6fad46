import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);
const {
  buildSchema,
  isEnumType,
  isInputObjectType,
  isInterfaceType,
  isObjectType,
  isScalarType,
  isSpecifiedDirective,
  isUnionType,
} = require('graphql');
const { Printer } = require('@graphql-markdown/printer-legacy');

const BUILT_IN = /^__|^(String|Int|Float|Boolean)$/;

/** The folders under which the printer links each kind of type, and the page that has it here. */
const KINDS = {
  'types/objects': 'objects',
  'types/interfaces': 'objects',
  'types/unions': 'objects',
  'types/inputs': 'inputs',
  'types/enums': 'enums',
  'types/scalars': 'enums',
  'types/directives': 'enums',
  'operations/queries': 'queries',
  'operations/mutations': 'mutations',
  'operations/subscriptions': 'subscriptions',
};

/** Pages of the GraphQL reference by name, printed by graphql-markdown from the SDL. */
export async function printGraphqlReference(sdl) {
  const schema = buildSchema(sdl);
  await Printer.init(
    schema,
    'reference/graphql',
    '/',
    {
      schema,
      printTypeOptions: {
        relatedTypeSection: false,
        typeBadges: false,
        parentTypePrefix: false,
        codeSection: true,
      },
    },
    plainFormatter(),
  );
  const types = Object.values(schema.getTypeMap()).filter(({ name }) => !BUILT_IN.test(name));
  const roots = [schema.getQueryType(), schema.getMutationType(), schema.getSubscriptionType()].filter(
    Boolean,
  );
  const fields = (type) => Object.values(type?.getFields() ?? {});
  const pages = {
    queries: ['Queries', fields(schema.getQueryType())],
    mutations: ['Mutations', fields(schema.getMutationType())],
    subscriptions: ['Subscriptions', fields(schema.getSubscriptionType())],
    objects: ['Objects and interfaces', types.filter((type) => isOutput(type) && !roots.includes(type))],
    inputs: ['Inputs', types.filter((type) => isInputObjectType(type))],
    enums: [
      'Enums, scalars and directives',
      [
        ...types.filter((type) => isEnumType(type) || isScalarType(type)),
        ...schema.getDirectives().filter((directive) => !isSpecifiedDirective(directive)),
      ],
    ],
  };
  const printed = {};
  for (const [name, [title, items]] of Object.entries(pages))
    if (items.length > 0) printed[name] = await printPage(title, items);
  return printed;
}

function isOutput(type) {
  return isObjectType(type) || isInterfaceType(type) || isUnionType(type);
}

async function printPage(title, items) {
  const sections = [];
  for (const item of items.toSorted((a, b) => (a.name < b.name ? -1 : 1)))
    sections.push(await printSection(item));
  return `---\noutline: 2\n---\n\n# ${title}\n\n${sections.join('\n')}`;
}

async function printSection(item) {
  const text = await Printer.printType(item.name, item);
  return `## ${item.name} {#${idOf(anchor(item.name))}}\n\n${tidy(text)}`;
}

/**
 * One page holds many types: no front matter, no anchors of members, headings of members as lines of a list.
 */
function tidy(text) {
  return text
    .replace(/^---\n[\s\S]*?\n---\n/, '')
    .replace(/^#{3} (.+)$/gm, '**$1**')
    .replace(/\\\{#[^}]*\\\}/g, '')
    .replace(/^#{4} (.+?)\s*$/gm, (_, line) => `- ${line}`)
    .replace(/^#{5} (.+?)\s*$/gm, (_, line) => `  - ${line}`)
    .replace(/\[(`[^`]+`)\]\(#[^)]*\)/g, '$1')
    .replace(/\(\/reference\/graphql\/([a-z]+\/[a-z]+)\/([a-z0-9-]+)\)/g, (whole, kind, name) =>
      KINDS[kind] === undefined ? whole : `(/reference/graphql-${KINDS[kind]}#${idOf(name)})`,
    )
    .replace(/\n(\*\*)/g, '\n\n$1')
    .replace(/\[(`[^`]+`)\]\(\/reference\/graphql-enums#(?:string|int|float|boolean)\)/g, '$1')
    .replace(/\n{3,}/g, '\n\n')
    .trim()
    .concat('\n');
}

/** The name as the printer writes it in links. */
function anchor(name) {
  return name.replace(/([a-z0-9])([A-Z])/g, '$1-$2').toLowerCase();
}

/** The element that VitePress renders a page into has the id `app`. */
function idOf(name) {
  return name === 'app' ? 'graphql-app' : name;
}

function plainFormatter() {
  return {
    formatMDXBadge: ({ text }) => `\`${text}\``,
    formatMDXBullet: (text = '') => ` ${text ? `· ${text}` : '·'} `,
    formatMDXNameEntity: (name) => `\`${name}\``,
    formatMDXLink: ({ text, url }) => ({ text, url }),
    formatMDXDetails: () => '',
    formatMDXFrontmatter: () => '',
    formatMDXSpecifiedByLink: (url) => `[specification](${url})`,
  };
}
