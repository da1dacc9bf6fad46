// Prints every finding of both linters, one a line, and fails when there is one.
import { readFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { resolve } from 'node:path';
import { createConfig, lintFromString } from '@redocly/openapi-core';
import spectral from '@stoplight/spectral-core';
import rulesets from '@stoplight/spectral-rulesets';

/** Findings of Redocly's strict rules. */
async function byRedocly(source, path) {
  const config = await createConfig({ extends: ['recommended-strict'] });
  const problems = await lintFromString({ source, absoluteRef: pathToFileURL(path).href, config });
  return problems.map(
    ({ ruleId, message, location }) => `redocly ${ruleId} ${location[0]?.pointer ?? ''}: ${message}`,
  );
}

/** Findings of Spectral's OpenAPI rules, hints included. */
async function bySpectral(source) {
  const linter = new spectral.Spectral();
  linter.setRuleset({ extends: [rulesets.oas] });
  const problems = await linter.run(source);
  return problems.map(({ code, message, path }) => `spectral ${code} ${path.join('/')}: ${message}`);
}

const [file] = process.argv.slice(2);
if (file === undefined) throw new Error('Usage: node lint.mjs FILE');
const path = resolve(file);
const source = readFileSync(path, 'utf8');
const findings = [...(await byRedocly(source, path)), ...(await bySpectral(source))];
for (const finding of findings) process.stdout.write(`${finding}\n`);
process.exitCode = findings.length === 0 ? 0 : 1;
