import { streamSafe } from './streamSafe.js';

const MAX_CHARACTERS = 254;
const ADDRESS = /^[^\s@<>()[\],;:\\"]{1,64}@[^\s@.<>()[\],;:\\"]+(\.[^\s@.<>()[\],;:\\"]+)+$/u;

/** The form in which an account's e-mail address is stored and looked up; undefined for other text. */
export function normalizedEmail(text: string): string | undefined {
  const email = streamSafe(text, 'NFKC').trim().toLowerCase();
  return email.length <= MAX_CHARACTERS && ADDRESS.test(email) ? email : undefined;
}
