/** What breaks a line or has no picture: control characters and the separators of lines and paragraphs. */
const CONTROLS = /[\p{Cc}\u2028\u2029]+/gu;

/** Marks, embeddings, overrides and isolates that change the direction of the text around them. */
const DIRECTIONS = /[\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]/gu;

/** The blocks of scripts that are written from right to left (UAX #9, table 4). */
const RIGHT_TO_LEFT = /[\u0590-\u08FF\uFB1D-\uFDFF\uFE70-\uFEFE\u{10800}-\u{10FFF}\u{1E800}-\u{1EFFF}]/u;

/** First strong isolate and pop directional isolate: between them a text has its own direction. */
const [ISOLATE, END_OF_ISOLATE] = ['\u2068', '\u2069'];

/** Why people cannot be shown a text as a name, or undefined when they can. */
export function displayNameProblem(text: string): string | undefined {
  return text === plainName(text)
    ? undefined
    : 'must be one line without control characters and without characters that set the direction of text';
}

/**
 * A name as it stands in a sentence of a page, a title or a mail: one line, and of its own direction. Names
 * may be older than the rule.
 */
export function nameInText(name: string): string {
  const plain = plainName(name);
  return RIGHT_TO_LEFT.test(plain) ? `${ISOLATE}${plain}${END_OF_ISOLATE}` : plain;
}

function plainName(name: string): string {
  return name.replace(DIRECTIONS, '').replace(CONTROLS, ' ');
}
