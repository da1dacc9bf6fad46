import { runStep } from './runStep.mjs';

const TOTALS = /^(\d+) passed, (\d+) failed(?:, (\d+) skipped)?$/gm;

/**
 * Runs tests in several processes at once, the files dealt to them in turn. The report of the first is
 * printed as it comes, then those of the others, then the sum of all totals. A process that ends without its
 * totals counts as a failure.
 *
 * @param args of Mocha, without files
 * @returns the exit code of the first process that failed, else 0
 */
export async function runLanes(lanes, files, args) {
  const reports = await Promise.all(
    Array.from({ length: Math.min(lanes, files.length) }, async (_, lane) => {
      const own = files.filter((_file, at) => at % lanes === lane);
      let text = '';
      const output = (chunk) => {
        text += chunk;
        if (lane === 0) process.stdout.write(chunk);
      };
      return { code: await runStep(process.execPath, [...args, ...own], { output }), lane, read: () => text };
    }),
  );
  for (const { lane, read } of reports)
    if (lane > 0) process.stdout.write(`\n== lane ${lane + 1}\n${read()}`);
  const sum = [0, 0, 0];
  for (const { lane, read } of reports) {
    const totals = [...read().matchAll(TOTALS)].at(-1);
    if (totals === undefined) console.log(`lane ${lane + 1} ended without its totals`);
    const [, ...counts] = totals ?? ['', 0, 1];
    for (const [place, count] of counts.entries()) sum[place] += Number(count ?? 0);
  }
  const [passed, failed, skipped] = sum;
  console.log(`${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`);
  return reports.find(({ code }) => code !== 0)?.code ?? (failed > 0 ? 1 : 0);
}
