import 'reflect-metadata';
import { configFrom } from '../config.js';
import type { OperatorAction } from '../operators/OperatorAction.js';
import { operatorActions } from '../operators/operatorActions.js';
import { readGiven } from '../operators/readGiven.js';
import { completionFor } from './completionFor.js';
import { operate } from './operate.js';
import { endWith, print, printed } from './output.js';
import type { Options } from './runProgram.js';
import { programs } from './programs.js';
import { tableOf } from './tableOf.js';

/** `consent <noun> <verb> …`: all operator commands in one program. */
async function main(args: string[]): Promise<void> {
  const [noun = '', verb = '', ...rest] = args;
  const words = `${noun} ${verb}`;
  if (noun === 'completion') return tell(completionFor(verb));
  const program = programs[words];
  if (program !== undefined) {
    process.argv.splice(2, process.argv.length, ...rest);
    return void (await program.load());
  }
  const action = operatorActions.find((one) => one.words === words);
  if (action !== undefined) return runAction(action, rest);
  const isHelp = args.length === 0 || noun === '--help' || noun === 'help';
  if (isHelp) return tell(overview());
  throw new TypeError(`There is no command "${words.trim()}".\n\n${overview()}`);
}

function tell(text: string): Promise<void> {
  print(text);
  return printed();
}

function runAction(action: OperatorAction, args: string[]): Promise<void> {
  const { words, parameters, argument } = action;
  const named = parameters.filter(({ name }) => name !== argument);
  return operate(
    {
      words,
      usage: usageOf(action),
      options: Object.fromEntries(named.map(({ name }) => [name, { type: 'string' as const }])),
      ...(argument === undefined ? {} : { argument }),
      async run(database, options, clock) {
        const scope = { database, clock, limits: limitsHere() };
        const data = await action.run(scope, readGiven(action, textsOf(options)));
        return { text: action.tell?.(data) ?? tableOf(data), data };
      },
    },
    args,
  );
}

/** The limits of this environment, which must be the same as on the gateways. */
function limitsHere(): ReturnType<typeof configFrom> {
  const { RATE_LIMITS, APP_CONCURRENCY, REPLAY_STORAGE_MB } = process.env;
  return configFrom({ RATE_LIMITS, APP_CONCURRENCY, REPLAY_STORAGE_MB });
}

function textsOf(options: Options): Record<string, string> {
  return Object.fromEntries(
    Object.entries(options).filter((pair): pair is [string, string] => typeof pair[1] === 'string'),
  );
}

function usageOf({ words, summary, parameters, argument }: OperatorAction): string {
  const named = parameters.filter(({ name }) => name !== argument);
  const lines = named.map(({ name, says, values, required }) => {
    const choice = values === undefined ? '' : ` (${values.join(', ')})`;
    return `  --${name.padEnd(10)} ${says}${choice}${required === true ? '; required' : ''}`;
  });
  return [
    `consent ${words}${argument === undefined ? '' : ` ${argument.toUpperCase()}`}`,
    '',
    summary,
    ...lines,
  ].join('\n');
}

function overview(): string {
  const all = [
    ...operatorActions.map(({ words, summary }) => [words, summary] as const),
    ...Object.entries(programs).map(([words, { summary }]) => [words, summary] as const),
  ].toSorted(([a], [b]) => (a < b ? -1 : 1));
  const lines = all.map(([words, summary]) => `  ${words.padEnd(20)} ${summary}`);
  return `consent COMMAND [--json] [--help]\n\n${lines.join('\n')}\n  completion bash|zsh  Prints a completion script for the shell.`;
}

try {
  await main(process.argv.slice(2));
} catch (error) {
  endWith(error, error instanceof Error ? error.message : String(error));
}
