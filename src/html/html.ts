/** Markup that is safe to send as it is: only `html` and `trusted` make it. */
export class Html {
  constructor(readonly text: string) {}

  toString(): string {
    return this.text;
  }
}

/**
 * What a template may interpolate. `undefined`, `null` and `false` print nothing; lists print their items.
 */
export type Printable = string | number | Html | undefined | null | false | readonly Printable[];

type Context = 'text' | 'tag' | 'attribute' | 'url';

interface Position {
  context: Context;
  /** The tag whose body holds no markup, while inside it. */
  raw: boolean;
}

const contextsOfTemplate = new WeakMap<TemplateStringsArray, Context[]>();
const URL_ATTRIBUTES = new Set(['href', 'action', 'src', 'formaction']);
const ESCAPES: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/**
 * A template whose interpolations are escaped for the place they stand in: text, a double-quoted attribute,
 * or an attribute that holds a URL (which must then be relative or http, https). Bare in a tag only `Html`
 * may stand.
 *
 * @throws Error on a place where nothing can be escaped safely (script, style, unquoted attribute) and on an
 *   unsafe URL
 */
export function html(strings: TemplateStringsArray, ...values: Printable[]): Html {
  const contexts = contextsOf(strings);
  const parts = strings.map((chunk, index) =>
    index < values.length ? chunk + print(values[index], contexts[index] ?? 'text') : chunk,
  );
  return new Html(parts.join(''));
}

/** Marks text as markup. For constants of the program only. */
export function trusted(text: string): Html {
  return new Html(text);
}

export function escapeText(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ESCAPES[character] ?? character);
}

function print(value: Printable, context: Context): string {
  if (value === undefined || value === null || value === false) return '';
  if (typeof value === 'object' && !(value instanceof Html))
    return value.map((item) => print(item, context)).join('');
  if (context === 'text') return value instanceof Html ? value.text : escapeText(String(value));
  if (context === 'tag') return bareInTag(value);
  if (value instanceof Html) throw new Error('Markup cannot stand in an attribute.');
  return escapeText(context === 'url' ? safeUrl(String(value)) : String(value));
}

function bareInTag(value: string | number | Html): string {
  if (value instanceof Html) return value.text;
  if (value === '') return '';
  throw new Error('Only markup can stand bare in a tag: quote the attribute.');
}

/** Relative to this site, or http(s): never a scheme that runs something. */
function safeUrl(url: string): string {
  if (/^([/?#](?!\/)|https?:\/\/|$)/i.test(url)) return url;
  throw new Error('A link must be relative, http or https.');
}

function contextsOf(strings: TemplateStringsArray): Context[] {
  const known = contextsOfTemplate.get(strings);
  if (known !== undefined) return known;
  let position: Position = { context: 'text', raw: false };
  const contexts = strings.slice(0, -1).map((chunk) => {
    position = after(position, chunk);
    if (position.raw) throw new Error('Nothing can be interpolated into script or style.');
    return position.context;
  });
  contextsOfTemplate.set(strings, contexts);
  return contexts;
}

/** Where a template stands after `chunk`, having stood at `start`. */
function after(start: Position, chunk: string): Position {
  let { context, raw } = start;
  for (let at = 0; at < chunk.length; at += 1) {
    const character = chunk[at];
    if (context === 'text') {
      if (character === '<') [context, raw] = ['tag', /^<(script|style)\b/i.test(chunk.slice(at))];
    } else if (context === 'tag') {
      if (character === '>') context = 'text';
      else if (character === '"') context = attributeContext(chunk.slice(0, at));
    } else if (character === '"') {
      context = 'tag';
    }
  }
  return { context, raw: raw && context === 'text' };
}

function attributeContext(before: string): Context {
  const name = /([\w:-]+)=$/.exec(before)?.[1] ?? '';
  return URL_ATTRIBUTES.has(name.toLowerCase()) ? 'url' : 'attribute';
}
