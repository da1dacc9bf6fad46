/** What breaks a line or has no picture: control characters and the separators of lines and paragraphs. */
const CONTROLS = /[\p{Cc}\u2028\u2029]+/gu;

/** Marks, embeddings, overrides and isolates that change the direction of the text around them. */
const DIRECTIONS = /[\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]/gu;

/** Deprecated format characters, and those around annotations. */
const FORMATS = /[\u206A-\u206F\uFFF9-\uFFFB]/gu;

/** Tags, and the flags of regions, which end with some. */
const TAGS = /(\u{1F3F4}[\u{E0030}-\u{E0039}\u{E0061}-\u{E007A}]{3,7}\u{E007F})|[\u{E0000}-\u{E007F}]/gu;

/** A letter, number, punctuation mark or symbol, without those that look like a space. */
const VISIBLE = /(?![\p{Default_Ignorable_Code_Point}\u2800\u{1D159}])[\p{L}\p{N}\p{P}\p{S}]/u;

/** The blocks of scripts that are written from right to left (UAX #9, table 4). */
const RIGHT_TO_LEFT = /[\u0590-\u08FF\uFB1D-\uFDFF\uFE70-\uFEFE\u{10800}-\u{10FFF}\u{1E800}-\u{1EFFF}]/u;

/** First strong isolate and pop directional isolate: between them a text has its own direction. */
const [ISOLATE, END_OF_ISOLATE] = ['\u2068', '\u2069'];

/** Why people cannot be shown a text as a name, or undefined when they can. */
export function displayNameProblem(text: string): string | undefined {
  if (text !== plainName(text))
    return 'must be one line without control and hidden characters and those that set the direction of text';
  return VISIBLE.test(text) ? undefined : 'must have a visible character';
}

/**
 * A name as it stands in a sentence of a page, a title or a mail: one line, and of its own direction. Names
 * may be older than the rule: `instead` stands for one without a visible character.
 */
export function nameInText(name: string, instead = ''): string {
  const plain = plainName(name);
  if (!VISIBLE.test(plain)) return instead;
  return RIGHT_TO_LEFT.test(plain) ? `${ISOLATE}${plain}${END_OF_ISOLATE}` : plain;
}

function plainName(name: string): string {
  return name.replace(DIRECTIONS, '').replace(FORMATS, '').replace(TAGS, '$1').replace(CONTROLS, ' ');
}
