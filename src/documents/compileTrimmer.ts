import type { Cutter } from './compileCutter.js';
import type { PrintedMember } from './compilePrinter.js';
import { escaped, unlessTooLong, VALUE } from './documentPattern.js';
import { innerShape, isListOf } from './factShape.js';
import type { MemberKind, Shape } from './factShape.js';

/** Most groups that the text of a replacement can name. */
const MOST_GROUPS = 99;

/** What follows an item: the comma before another one, or the end of the list. */
const AFTER_ITEM = String.raw`(?:,(?=\{)|(?=\]))`;

/** Stands behind the text, which holds no line feed: the last piece takes one away, so that text that was not read to its end shows it. */
const END = '\n\n';

/**
 * The cutter of wanted members that keep the text's own names and order, as most selections do: then all that is printed are
 * spans of the text, and one replacement by one expression leaves them standing, at half of what taking the members apart costs.
 * Undefined for other selections.
 */
export function compileTrimmer(shape: Shape, wanted: readonly PrintedMember[]): Cutter | undefined {
  if (!isInOrder(shape, wanted)) return undefined;
  const pieces = new Pieces();
  pieces.keep('^');
  pieces.list(shape, wanted);
  pieces.drop(String.raw`\n`);
  pieces.keep(String.raw`\n$`);
  const { source, groups } = pieces.end();
  if (groups > MOST_GROUPS) return undefined;
  const expression = new RegExp(source, 'gy');
  const kept = Array.from({ length: groups }, (_, index) => `$${index + 1}`).join('');
  return (text) => {
    if (!text.startsWith('[')) return undefined;
    const trimmed = unlessTooLong(() => `${text}${END}`.replace(expression, kept));
    return trimmed === undefined || trimmed.endsWith(END) ? undefined : trimmed.slice(0, -1);
  };
}

function isInOrder(shape: Shape, wanted: readonly PrintedMember[]): boolean {
  const members = Object.keys(shape);
  const places = wanted.map(({ member }) => members.indexOf(member));
  return wanted.every(({ name, member, kind }, index) => {
    const inOrder = index === 0 || (places[index - 1] ?? 0) < (places[index] ?? 0);
    return (
      name === member &&
      inOrder &&
      (typeof kind === 'string' || isInOrder(innerShape(shape[member] ?? 'value') ?? {}, kind))
    );
  });
}

/** Expressions for the pieces that a text consists of: where lists begin, their items, and what comes behind them. */
class Pieces {
  private readonly done: string[] = [];
  private piece = '';
  private span = '';
  private groups = 0;

  keep(source: string): void {
    this.span += source;
  }

  drop(source: string): void {
    this.endSpan();
    this.piece += source;
  }

  /** Its items are a piece of their own: the one before ends where the list begins, and another one begins where it ends. */
  list(shape: Shape, wanted: readonly PrintedMember[]): void {
    this.keep(String.raw`\[(?=[{\]])`);
    this.endPiece();
    this.document(shape, wanted);
    this.keep(AFTER_ITEM);
    this.endPiece();
    this.keep(String.raw`\]`);
  }

  end(): { source: string; groups: number } {
    this.endPiece();
    return { source: this.done.join('|'), groups: this.groups };
  }

  private document(shape: Shape, wanted: readonly PrintedMember[]): void {
    this.keep(String.raw`\{`);
    let isFirst = true;
    for (const [member, kind] of Object.entries(shape)) {
      const name = `"${escaped(member)}":`;
      const asked = wanted.find((one) => one.member === member);
      if (asked === undefined) {
        // The comma goes with the member: the one behind it as long as nothing was kept, then the one before it.
        this.drop(isFirst ? `${name}${whole(kind)},` : `,${name}${whole(kind)}`);
        continue;
      }
      this.keep(isFirst ? name : `,${name}`);
      this.value(kind, asked);
      isFirst = false;
    }
    this.keep(String.raw`\}`);
  }

  private value(kind: MemberKind, { kind: wanted }: PrintedMember): void {
    if (typeof kind === 'string' || typeof wanted === 'string') this.keep(VALUE);
    else if (isListOf(kind)) this.list(kind[0], wanted);
    else this.document(kind, wanted);
  }

  private endSpan(): void {
    if (this.span === '') return;
    this.groups += 1;
    this.piece += `(${this.span})`;
    this.span = '';
  }

  private endPiece(): void {
    this.endSpan();
    if (this.piece !== '') this.done.push(this.piece);
    this.piece = '';
  }
}

/** A value of which nothing is wanted. */
function whole(kind: MemberKind): string {
  if (typeof kind === 'string') return VALUE;
  if (!isListOf(kind)) return wholeDocument(kind);
  const item = wholeDocument(kind[0]);
  return String.raw`\[(?:${item}(?:,${item})*)?\]`;
}

function wholeDocument(shape: Shape): string {
  const members = Object.entries(shape).map(([member, kind]) => `"${escaped(member)}":${whole(kind)}`);
  return String.raw`\{${members.join(',')}\}`;
}
