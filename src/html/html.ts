/** Markup that is safe to send unchanged. Only `html` and `trusted` create it. */
export class Html {
  constructor(readonly text: string) {}

  toString(): string {
    return this.text;
  }
}

/**
 * The values that a template may interpolate. `undefined`, `null` and `false` print nothing; lists print
 * their items.
 */
export type Printable = string | number | Html | undefined | null | false | readonly Printable[];

type Context = 'text' | 'tag' | 'attribute' | 'url';

interface Position {
  context: Context;
  /** Whether the position is inside a script or style element. */
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
 * A template that escapes each interpolation for its context: text, a double-quoted attribute, or a URL
 * attribute (relative, http or https only). Inside a tag but outside an attribute only `Html` is allowed.
 *
 * @throws Error for a context without safe escaping (script, style, unquoted attribute) and for an unsafe URL
 */
export function html(strings: TemplateStringsArray, ...values: Printable[]): Html {
  const contexts = contextsOf(strings);
  const parts = strings.map((chunk, index) =>
    index < values.length ? chunk + print(values[index], contexts[index] ?? 'text') : chunk,
  );
  return new Html(parts.join(''));
}

/** Marks text as markup. Use it only for constants of the program. */
export function trusted(text: string): Html {
  return new Html(text);
}

function escapeText(text: string): string {
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

/** Allows only relative and http(s) URLs, never a scheme that runs code. */
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

/** The position after `chunk`, given the position before it. */
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
