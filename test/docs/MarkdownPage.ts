import { readFileSync } from 'node:fs';

/** A fenced block of a page. */
export interface Block {
  language: string;
  text: string;
  /** The JSON that the page shows as the block's answer. */
  answer?: string;
}

/** The blocks of a Markdown page in their order; a `json` block right after another is that one's answer. */
export function blocksOf(path: string): Block[] {
  const blocks: Block[] = [];
  for (const [, language = '', text = ''] of readFileSync(path, 'utf8').matchAll(
    /^```(\w*)\n([\s\S]*?)^```$/gm,
  )) {
    const last = blocks.at(-1);
    if (language === 'json' && last !== undefined) last.answer = text;
    else blocks.push({ language, text });
  }
  return blocks;
}

export function textOf(path: string, language: string): string {
  return blocksOf(path)
    .filter((block) => block.language === language)
    .map(({ text }) => text)
    .join('\n');
}
