import prepare from './prepare.mjs';
import { runStep } from './runStep.mjs';

/** `npm test [-- FILE… --grep x]`: every compiled test, or those named (as sources or as compiled files). */
export default async function runTests(args) {
  await prepare();
  const options = args.map(asCompiled);
  const named = options.some(isTestFile);
  const files = named ? [] : ['dist/test/**/*.test.js'];
  // A busy CI machine gets one more try at a test; the reporter names every test that needed it.
  const strict = process.env.CI ? ['--forbid-only', '--retries=1'] : [];
  process.exitCode = await runStep(process.execPath, [
    'node_modules/mocha/bin/mocha.js',
    ...strict,
    ...options,
    ...files,
  ]);
}

function isTestFile(argument) {
  return !argument.startsWith('-') && /\.test\.js$/.test(argument);
}

function asCompiled(argument) {
  if (!/\.test\.(ts|js)$/.test(argument)) return argument;
  const compiled = argument.replace(/^\.\//, '').replace(/\.ts$/, '.js');
  return compiled.startsWith('dist/') || compiled.startsWith('/') ? compiled : `dist/${compiled}`;
}
