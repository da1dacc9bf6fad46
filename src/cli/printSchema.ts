import { readFile, writeFile } from 'node:fs/promises';
import { generatedFiles, incompatibilities } from '../generatedFiles.js';

async function main(): Promise<void> {
  const kept = await Promise.all(
    ['schema/schema.graphql', 'schema/openapi.json'].map((path) =>
      readFile(path, 'utf8').catch(() => undefined),
    ),
  );
  const [sdl, openApi] = kept;
  const breaks = sdl === undefined || openApi === undefined ? [] : incompatibilities(sdl, openApi);
  if (breaks.length > 0 && !process.argv.includes('--allow-breaking')) {
    process.stderr.write(
      `Not written, as partners would break (--allow-breaking writes all the same):\n${breaks.map((line) => `  - ${line}\n`).join('')}`,
    );
    process.exitCode = 1;
    return;
  }
  for (const [path, text] of Object.entries(generatedFiles())) await writeFile(path, text);
}

await main();
