import { statSync } from 'node:fs';
import { runStep } from './runStep.mjs';

const TOTALS = /^(\d+) passed, (\d+) failed(?:, (\d+) skipped)?$/gm;

/**
 * Runs tests in several processes at once (how the files are dealt: {@link deal}). The report of the first is
 * printed as it comes, then those of the others, then the sum of all totals. A process that ends without its
 * totals counts as a failure.
 *
 * @param args of Mocha, without files
 * @returns the exit code of the first process that failed, else 0
 */
export async function runLanes(lanes, files, args) {
  const reports = await Promise.all(
    deal(files, Math.min(lanes, files.length)).map(async (own, lane) => {
      let text = '';
      const output = (chunk) => {
        text += chunk;
        if (lane === 0) process.stdout.write(chunk);
      };
      const env = { ...process.env, TEST_LANE: `${lane}/${lanes}` };
      const code = await runStep(process.execPath, [...args, ...own], { output, env });
      return { code, lane, read: () => text };
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

/**
 * The files of each lane, in the order given. Tests of pages take longest, roughly by their size: they are
 * dealt from the largest down, back and forth, so that no lane gets most of them; the others in turn.
 */
function deal(files, lanes) {
  const isOfPages = (file) => /[/\\]pages[/\\]/.test(file);
  const size = new Map(files.map((file) => [file, statSync(file).size]));
  const pages = files.filter(isOfPages).toSorted((one, other) => size.get(other) - size.get(one));
  const others = files.filter((file) => !isOfPages(file));
  const backAndForth = (at) => Math.min(at % (2 * lanes), 2 * lanes - 1 - (at % (2 * lanes)));
  const laneOf = new Map([
    ...pages.map((file, at) => [file, backAndForth(at)]),
    ...others.map((file, at) => [file, at % lanes]),
  ]);
  return Array.from({ length: lanes }, (_, lane) => files.filter((file) => laneOf.get(file) === lane));
}
