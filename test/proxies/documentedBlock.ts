import { readFileSync } from 'node:fs';

/**
 * An example of `docs/operations.md`, by the language of its block, with every text on the left replaced.
 * What is documented is what is tested.
 */
export function documentedBlock(language: string, replacements: Readonly<Record<string, string>>): string {
  const [, block] =
    new RegExp(`\`\`\`${language}\\n([\\s\\S]*?)\`\`\``).exec(readFileSync('docs/operations.md', 'utf8')) ??
    [];
  if (block === undefined) throw new Error(`docs/operations.md has no example in ${language}.`);
  return Object.entries(replacements).reduce((text, [from, to]) => {
    if (!text.includes(from)) throw new Error(`The ${language} example no longer says "${from}".`);
    return text.replaceAll(from, to);
  }, block);
}
