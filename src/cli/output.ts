/** Why the output of a command was not written. */
export class OutputLost extends Error {
  override readonly name = 'OutputLost';
  /** Whether its reader has left, as `head` does when it has enough. */
  readonly isUnread: boolean;

  constructor(cause: NodeJS.ErrnoException) {
    super(`The command did its work, but its output could not be written: ${cause.message}.`, { cause });
    this.isUnread = cause.code === 'EPIPE';
  }
}

/** What a shell tells of a program that wrote to a reader that has left (SIGPIPE). */
const UNREAD = 141;

let lost: OutputLost | undefined;

// An error that nobody listens to would end the process with a stack. `print` keeps it.
process.stdout.on('error', () => undefined);

/** Prints lines to the standard output; `printed` tells whether they were written. */
export function print(text: string): void {
  process.stdout.write(`${text}\n`, (error) => {
    if (error) lost ??= new OutputLost(error);
  });
}

/** Waits until all that was printed is written. @throws OutputLost when some of it cannot be */
export async function printed(): Promise<void> {
  await new Promise<void>((resolve) => process.stdout.write('', () => resolve()));
  if (lost !== undefined) throw lost;
}

/** Sets the exit code of a command that failed and tells why; quietly where only the reader has left. */
export function endWith(error: unknown, reason: string): void {
  const isUnread = error instanceof OutputLost && error.isUnread;
  process.exitCode = isUnread ? UNREAD : 1;
  if (!isUnread) console.error(reason);
}
