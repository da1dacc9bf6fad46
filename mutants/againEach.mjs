// Stryker's own reports are written when a run ends. This one tells each mutant as it is tested, so that a run
// that is broken off has told what it found: a JSON text per line in .tmp/again-ROOM.jsonl.
import { appendFileSync, writeFileSync } from 'node:fs';
import { declareClassPlugin, PluginKind } from '@stryker-mutator/api/plugin';

const file = `.tmp/again-${process.env.MUTANTS ?? 'access'}.jsonl`;

class EachReporter {
  onMutationTestingPlanReady() {
    writeFileSync(file, '');
  }

  onMutantTested({ fileName, location, mutatorName, replacement, status, statusReason }) {
    const { line, column } = location.start;
    const place = `${fileName}:${line}:${column}`;
    appendFileSync(file, `${JSON.stringify({ status, place, mutatorName, replacement, statusReason })}\n`);
  }
}

export const strykerPlugins = [declareClassPlugin(PluginKind.Reporter, 'each', EachReporter)];
