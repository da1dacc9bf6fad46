import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { transformerStyleToClass } from '@shikijs/transformers';
import { defineConfig } from 'vitepress';
import { readableTheme } from './theme/readableTheme.mjs';
import { withWholeNames } from './theme/search.mjs';

const SOURCE = dirname(dirname(fileURLToPath(import.meta.url)));

/** Colours of code as classes: the content security policy allows no style attributes. */
const styleToClass = transformerStyleToClass({ classPrefix: 'code-' });

export default defineConfig({
  lang: 'en',
  title: 'Consent & Profiles',
  titleTemplate: ':title · Partner Consent and Profile Service',
  description:
    'Connect customers, record consent per purpose, and read profiles that only show what is consented.',
  base: '/docs/',
  cleanUrls: true,
  head: [
    ['link', { rel: 'icon', href: '/docs/icon.svg', type: 'image/svg+xml' }],
    ['link', { rel: 'stylesheet', href: '/docs/code.css' }],
  ],
  // The policy of /docs allows no style element, which would stop transitions while the theme changes.
  appearance: { disableTransition: false },
  markdown: {
    // Of the default themes comments and names have too little contrast.
    theme: { light: 'github-light-high-contrast', dark: 'github-dark-high-contrast' },
    codeTransformers: [styleToClass],
    config: (md) => md.core.ruler.push('readable', makeReadable),
  },
  vite: { plugins: [readableTheme()] },
  ignoreDeadLinks: [/^https?:\/\/localhost/, /\/docs\/rest\.html/, /^\/rest\.html/],
  buildEnd: ({ outDir }) => writeFileSync(join(outDir, 'code.css'), styleToClass.getCSS()),
  themeConfig: {
    logo: '/icon.svg',
    outline: [2, 3],
    notFound: {
      title: 'There is no such page',
      quote: 'It may have moved. The search finds every page, error code and field.',
      linkText: 'To the first page',
      linkLabel: 'To the first page',
    },
    search: {
      provider: 'local',
      options: {
        _render: (source, env, md) => {
          const html = md.render(source, env);
          return env.frontmatter?.search === false ? '' : withWholeNames(html);
        },
      },
    },
    docFooter: { prev: 'Before', next: 'Next' },
    nav: [
      { text: 'Start', link: '/start/rest', activeMatch: '/start/' },
      { text: 'Concepts', link: '/concepts/consent', activeMatch: '/concepts/' },
      { text: 'Recipes', link: '/recipes/verify-a-webhook', activeMatch: '/recipes/' },
      { text: 'REST API', link: '/rest.html', target: '_self' },
      { text: 'GraphQL API', link: '/reference/graphql-queries', activeMatch: '/reference/graphql' },
      { text: 'Errors', link: '/errors' },
    ],
    sidebar: [
      group('Start', 'start', ['rest', 'graphql', 'client', 'graphiql']),
      group('Concepts', 'concepts', ['consent', 'ordering', 'confidence', 'webhooks', 'replicas']),
      group('Recipes', 'recipes'),
      {
        text: 'Reference',
        items: [
          { text: 'The contract', link: '/contract' },
          { text: 'REST (OpenAPI)', link: '/rest.html', target: '_self' },
          ...present(['reference/rest-operations']),
          ...pages('reference').filter(({ link }) => link.includes('graphql')),
          { text: 'Scopes and gates by field', link: '/reference/access' },
          ...present(['errors', 'webhooks', 'subscriptions', 'oauth', 'changes']),
        ],
      },
      {
        text: 'Operate',
        collapsed: true,
        items: present(['running', 'operations', 'scale', 'performance', 'proofs', 'walks', 'dashboard']),
      },
      {
        text: 'Inside',
        collapsed: true,
        items: [
          ...present(['architecture', 'changing', 'resolution', 'pages', 'dependencies']),
          { text: 'Decisions', collapsed: true, items: pages('decisions') },
        ],
      },
    ],
  },
});

/**
 * A column without a name, as that of the names of rows, has no heading: an empty one is read out as one. An
 * indented block scrolls by the keyboard, as those with a language do.
 */
function makeReadable({ tokens }) {
  for (const [place, token] of tokens.entries()) {
    if (token.type === 'code_block') token.attrSet('tabindex', '0');
    if (token.type === 'th_open' && tokens[place + 1].content === '')
      for (const one of [token, tokens[place + 2]]) one.tag = 'td';
  }
}

function group(text, folder, order) {
  const items = pages(folder);
  const place = ({ link }) => (order ? order.indexOf(link.split('/').at(-1)) : 0);
  return { text, items: items.toSorted((a, b) => place(a) - place(b)) };
}

function pages(folder) {
  const path = join(SOURCE, folder);
  if (!existsSync(path)) return [];
  const names = readdirSync(path).filter((name) => name.endsWith('.md') && name !== 'README.md');
  return names.toSorted().map((name) => page(`${folder}/${name.slice(0, -3)}`));
}

function present(names) {
  return names.filter((name) => existsSync(join(SOURCE, `${name}.md`))).map(page);
}

function page(name) {
  const [, title = name] = /^# (.+)$/m.exec(readFileSync(join(SOURCE, `${name}.md`), 'utf8')) ?? [];
  return { text: title.replaceAll('`', ''), link: `/${name}` };
}
