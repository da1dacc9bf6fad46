import { operatorActions } from '../operators/operatorActions.js';
import { programs } from './programs.js';

/** The words of every command and its options. */
export function commandOptions(): Record<string, string[]> {
  const ofActions = operatorActions.map(({ words, parameters, argument }) => [
    words,
    parameters.filter(({ name }) => name !== argument).map(({ name }) => name),
  ]);
  const ofPrograms = Object.entries(programs).map(([words, { options }]) => [words, options]);
  return Object.fromEntries([...ofActions, ...ofPrograms]) as Record<string, string[]>;
}

/** The completion script for a shell. @throws TypeError for a shell other than bash and zsh */
export function completionFor(shell: string): string {
  if (shell === 'bash') return bash();
  if (shell === 'zsh') return `#compdef consent\nautoload -U +X bashcompinit && bashcompinit\n${bash()}`;
  throw new TypeError('consent completion bash, or consent completion zsh');
}

function bash(): string {
  const commands = commandOptions();
  const nouns = [...new Set(Object.keys(commands).map((words) => words.split(' ')[0]))];
  const verbs = nouns.map((noun = '') => {
    const own = Object.keys(commands).filter((words) => words.startsWith(`${noun} `));
    return `    ${noun}) verbs="${own.map((words) => words.split(' ')[1]).join(' ')}" ;;`;
  });
  const options = Object.entries(commands).map(
    ([words, names]) =>
      `    "${words}") options="${[...names, 'json', 'help'].map((name) => `--${name}`).join(' ')}" ;;`,
  );
  return `_consent() {
  local word="\${COMP_WORDS[COMP_CWORD]}" noun="\${COMP_WORDS[1]}" verb="\${COMP_WORDS[2]}" verbs="" options=""
  case "$noun" in
${verbs.join('\n')}
    completion) verbs="bash zsh" ;;
  esac
  case "$noun $verb" in
${options.join('\n')}
  esac
  case "$COMP_CWORD" in
    1) COMPREPLY=($(compgen -W "${nouns.join(' ')} completion" -- "$word")) ;;
    2) COMPREPLY=($(compgen -W "$verbs" -- "$word")) ;;
    *) COMPREPLY=($(compgen -W "$options" -- "$word")) ;;
  esac
}
complete -F _consent consent`;
}
