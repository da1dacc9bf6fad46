const STRING = String.raw`"[^"\\]*(?:\\.[^"\\]*)*"`;

/** A string, a number, true, false or null in the text of `JSON.stringify`. Linear in its length. */
const PLAIN = String.raw`(?:${STRING}|[-+.\w]+)`;

/** A value in that text: a plain one, or a list or an object of plain ones. Deeper values are not matched. */
export const VALUE = String.raw`(?:${PLAIN}|\[(?:${PLAIN}(?:,${PLAIN})*)?\]|\{(?:${STRING}:${PLAIN}(?:,${STRING}:${PLAIN})*)?\})`;

/** An expression that matches the text alone. */
export function escaped(text: string): string {
  return text.replace(/[^\w":,]/g, String.raw`\$&`);
}

/** Undefined where a value is too much for V8's expressions, as one of millions of escapes is. */
export function unlessTooLong(match: () => string | undefined): string | undefined {
  try {
    return match();
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}
