import { BenchHarness } from '../speed/BenchHarness.js';
import { measureHang } from './measureHang.js';
import { measureReads } from './measureReads.js';

/**
 * `npm run bench:fairness [SECONDS] [--parts=reads,hang] [--habits=NAME,…]`: how much of one app's profile
 * reads another app can take by doing its worst within its limits, and how long a revocation takes under
 * that; then how long reads take beside one whose statement hangs.
 */
const given = process.argv.slice(2);
const text = (name: string): string | undefined =>
  given.find((argument) => argument.startsWith(`--${name}=`))?.slice(name.length + 3);
const seconds = Number(given.find((argument) => !argument.startsWith('--')) ?? 60);
const parts = (text('parts') ?? 'reads,hang').split(',');

const harness = await BenchHarness.open();
try {
  if (parts.includes('reads')) console.log(await measureReads(harness, seconds, text('habits')?.split(',')));
  if (parts.includes('hang')) console.log(await measureHang(harness));
} finally {
  await harness.close();
}
