/** Bytes of a receiver's answer that are stored. */
export const KEPT_ANSWER_BYTES = 1024;

/**
 * The first bytes of an answer as text that is safe to store and show: valid UTF-8, no control characters
 * (PostgreSQL would refuse a NUL), no signing secret that a receiver may have printed.
 */
export function sanitizeAnswer(bytes: Buffer): string {
  const text = new TextDecoder('utf-8').decode(bytes.subarray(0, KEPT_ANSWER_BYTES));
  return text
    .replace(/\r\n?/g, '\n')
    .replace(/[^\P{C}\n\t]/gu, '\uFFFD')
    .replace(/whsec_[A-Za-z0-9+/=_-]*/g, 'whsec_…');
}
