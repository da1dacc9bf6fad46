import { readFile, writeFile } from 'node:fs/promises';
import { generatedFiles, incompatibilities } from '../start/generatedFiles.js';
import { runProgram } from './runProgram.js';

const USAGE = `npm run schema:print -- [--allow-breaking]

Writes the files that are generated from the schema and the routes, unless partners would break.`;

await runProgram({
  usage: USAGE,
  options: { 'allow-breaking': { type: 'boolean' } },
  async run(options) {
    const breaks = options['allow-breaking'] === true ? [] : await breaksNow();
    if (breaks.length > 0) {
      process.exitCode = 1;
      const lines = breaks.map((line) => `\n  - ${line}`).join('');
      const text = `Not written, as partners would break (--allow-breaking writes all the same):${lines}`;
      return { text, data: { written: [], breaks } };
    }
    const files = Object.entries(generatedFiles());
    for (const [path, text] of files) await writeFile(path, text);
    const written = files.map(([path]) => path);
    return { text: `Written: ${written.join(', ')}.`, data: { written, breaks } };
  },
});

async function breaksNow(): Promise<string[]> {
  const kept = ['schema/schema.graphql', 'schema/openapi.json'].map((path) =>
    readFile(path, 'utf8').catch(() => undefined),
  );
  const [sdl, openApi] = await Promise.all(kept);
  return sdl === undefined || openApi === undefined ? [] : incompatibilities(sdl, openApi);
}
