/**
 * Characters that normalisation puts in order or joins to the one before: marks, and letters of Korean and
 * Kirat Rai. Not U+034F, a mark that stays where it is.
 */
const RUN =
  /(?:[^\P{M}\u034f]|[\u1161-\u1175\u11a8-\u11c2\uff9e\uff9f\uffc2-\uffdc\u{16d67}\u{16d68}]){2,}/gu;

/** The longest run that is left as it is. Only made-up text has longer ones. */
const MAX_RUN = 30;

const FULL_PART = new RegExp(`.{${MAX_RUN}}(?=.)`, 'gu');

/**
 * A text from a client, normalised in time in proportion to its length: U+034F, which is not visible, breaks
 * runs of more than 30 such characters (UAX #15, Stream-Safe Text Format). JavaScript's own normalisation
 * takes time that grows with the square of a run's length: seconds for 60,000 marks.
 */
export function streamSafe(text: string, form: 'NFC' | 'NFD' | 'NFKC'): string {
  return text
    .replace(RUN, (run) => (run.length > MAX_RUN ? run.replace(FULL_PART, '$&\u034f') : run))
    .normalize(form);
}
