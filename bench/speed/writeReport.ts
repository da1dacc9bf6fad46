import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { format, resolveConfig } from 'prettier';
import { TITLES } from './Section.js';
import type { Section } from './Section.js';

const INTRODUCTION = `# How fast it is

Made by \`npm run bench\` (about 30 minutes) and \`npm run bench:memory\` (10 minutes), each of which writes its own sections. Load, servers and
PostgreSQL share one machine. Contestants are measured in turns, round by round, and compared within the round: given are the median
and, in brackets, the lowest and highest of the rounds. Processor time is that of all threads of a server's processes; that of PostgreSQL's stands apart.
`;

/** Puts sections in their places; those of other parts stay, and those written by hand, which come last. */
export async function writeReport(file: string, sections: readonly Section[]): Promise<void> {
  const kept = existsSync(file) ? readSections(readFileSync(file, 'utf8')) : new Map<string, string>();
  for (const { title, text } of sections) kept.set(title, text);
  const chapters = [...new Set<string>([...TITLES, ...kept.keys()])].flatMap((title) => {
    const text = kept.get(title);
    return text === undefined ? [] : [`## ${title}\n\n${text}`];
  });
  const options = await resolveConfig(file);
  writeFileSync(
    file,
    await format([INTRODUCTION, ...chapters].join('\n'), { ...options, parser: 'markdown' }),
  );
}

function readSections(report: string): Map<string, string> {
  const [, ...chapters] = report.split(/^## /m);
  return new Map(
    chapters.map((chapter) => {
      const [title = '', ...lines] = chapter.split('\n');
      return [title, lines.join('\n')];
    }),
  );
}
