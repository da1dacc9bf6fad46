const MAX_CHARACTERS = 254;
const ADDRESS = /^[^\s@<>()[\],;:\\"]{1,64}@[^\s@.<>()[\],;:\\"]+(\.[^\s@.<>()[\],;:\\"]+)+$/u;

/**
 * The form under which an account's e-mail address is kept and found, or undefined when the text is not an
 * address.
 */
export function normalizedEmail(text: string): string | undefined {
  const email = text.normalize('NFKC').trim().toLowerCase();
  return email.length <= MAX_CHARACTERS && ADDRESS.test(email) ? email : undefined;
}
