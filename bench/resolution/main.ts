import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { compareOnGenerated } from './compareOnGenerated.js';
import { compareOnCrowds, compareOnReal, REAL_SETS } from './compareOnReal.js';
import { compareOnDatasets } from './compareOnDatasets.js';
import { measureLearning, measureResolving } from './measureSpeed.js';
import type { LearningCost } from './measureSpeed.js';
import type { Score } from './scoreAnswers.js';

const DIRECTORY = process.argv[2] ?? process.env['TRUTH_DISCOVERY_DIR'] ?? '../shared/data/truth-discovery';

/** Sets of labels by crowds (docs/resolution.md, section 12). */
const CROWDS = process.argv[3] ?? process.env['CROWDS_DIR'] ?? '';

const LEARN = '--learn';

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}

function decimal(number: number, digits: number): string {
  return number.toFixed(digits).replace(/^0\./u, '.');
}

function cell(score: Score | undefined): string {
  if (score === undefined) return '';
  return [decimal(score.accuracy, 3), decimal(score.calibrationError, 3), decimal(score.answerable, 2)].join(
    ' / ',
  );
}

function printTable(rows: Readonly<Record<string, Readonly<Record<string, Score>>>>): void {
  const methods = Object.keys(Object.values(rows)[0] ?? {});
  print(`| | ${methods.join(' | ')} |`);
  print(`|---|${methods.map(() => '---|').join('')}`);
  for (const [name, scores] of Object.entries(rows)) {
    print(`| ${name} | ${methods.map((method) => cell(scores[method])).join(' | ')} |`);
  }
  print('');
}

function printDatasets(): void {
  print('### Other ways to be wrong, mean of 5 seeds\n');
  print('| | most accurate peer | best calibrated peer | ours | misses | models chosen |');
  print('|---|---|---|---|---|---|');
  for (const [name, { best, calibrated, ours, misses, models }] of compareOnDatasets()) {
    const peers = [best, calibrated].map(({ method, score }) => `${method} ${cell(score)}`);
    const missed = [misses.accuracy, misses.calibration].map((miss) =>
      miss < 0.0005 ? '-' : decimal(miss, 3),
    );
    const chosen = [...models].map(([model, seeds]) => (seeds === 5 ? model : `${model} (${seeds})`));
    print(`| ${[name, ...peers, cell(ours), missed.join(' / '), chosen.join('; ')].join(' | ')} |`);
  }
  print('');
}

function printReal(): void {
  print('### Real claims with gold truth\n');
  for (const set of Object.keys(REAL_SETS)) {
    const report = compareOnReal(DIRECTORY, set);
    if (report === null) {
      print(
        `${set}: NOT MEASURED, no claims.tsv.gz found. Name the folder as argument or in TRUTH_DISCOVERY_DIR.\n`,
      );
    } else {
      printTable(
        Object.fromEntries(
          Object.entries(report.scores).map(([comparison, row]) => [`${set}, ${comparison}`, row]),
        ),
      );
      print(
        `With our confidences, were each exactly right, the calibration error would be ${decimal(report.byChance, 3)} on average.\n`,
      );
    }
  }
}

function printCrowds(): void {
  print('### Labels by crowds\n');
  const reports = [...compareOnCrowds(CROWDS)];
  if (reports.length === 0) {
    print('NOT MEASURED, no label.csv found. Name the folder as second argument or in CROWDS_DIR.\n');
    return;
  }
  printTable(Object.fromEntries(reports.map(([set, { scores }]) => [set, scores['exact value'] ?? {}])));
}

/** In a process of its own, so that its peak of memory is that of this work alone. */
function learnInProcess(claims: number): LearningCost {
  const program = fileURLToPath(import.meta.url);
  return JSON.parse(
    execFileSync(process.execPath, [program, LEARN, String(claims)], { encoding: 'utf8' }),
  ) as LearningCost;
}

function printSpeed(): void {
  print('### Speed\n');
  print(`Facts resolved per CPU second (4 to 5 claims each): ${Math.round(measureResolving())}\n`);
  print(
    '| claims | CPU seconds for a full snapshot | peak memory of the process, MB | longest step, CPU ms |',
  );
  print('|---|---|---|---|');
  for (const claims of [10_000, 100_000, 1_000_000]) {
    const cost = learnInProcess(claims);
    const figures = [
      cost.seconds.toFixed(1),
      cost.peakMegabytes.toFixed(0),
      cost.longestStepMilliseconds.toFixed(0),
    ];
    print(`| ${cost.claims} | ${figures.join(' | ')} |`);
  }
}

function printAll(): void {
  print('Each cell: accuracy / calibration error / share answerable at 95 % precision.\n');
  print('### Generated claims, mean of 8 seeds\n');
  printTable(compareOnGenerated());
  printReal();
  printCrowds();
  printDatasets();
  printSpeed();
}

if (process.argv[2] === LEARN) print(JSON.stringify(measureLearning(Number(process.argv[3]))));
else printAll();
