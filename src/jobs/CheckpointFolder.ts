import { randomBytes } from 'node:crypto';
import type { KeyObject } from 'node:crypto';
import { open, readdir, readFile, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { makeFolder } from '../database/makeFolder.js';
import { publicCheckpointKey, readCheckpoint } from '../domain/checkpoint.js';
import type { Checkpoint } from '../domain/checkpoint.js';

const SUFFIX = '.jsonl';

/**
 * Signed checkpoints in a folder outside the database, one file per round. A file gets its name once all of
 * it is on disk, so that a kill leaves no incomplete line. Several processes may share a folder.
 */
export class CheckpointFolder {
  private readonly publicKey: string;
  private readonly seen = new Set<string>();
  private readonly latestOf = new Map<string, Checkpoint>();

  constructor(
    private readonly path: string,
    key: KeyObject,
  ) {
    this.publicKey = publicCheckpointKey(key);
  }

  /** The latest checkpoint of each app, of any process. Lines with another signature are ignored. */
  async latest(): Promise<ReadonlyMap<string, Checkpoint>> {
    makeFolder(this.path, 0o700);
    for (const name of await checkpointFiles(this.path)) {
      if (this.seen.has(name)) continue;
      for (const line of linesIn(await readFile(join(this.path, name), 'utf8'))) this.take(line);
      this.seen.add(name);
    }
    return this.latestOf;
  }

  async write(lines: readonly string[], now: Date): Promise<void> {
    const name = `${now.toISOString().replaceAll(':', '-')}-${randomBytes(4).toString('hex')}${SUFFIX}`;
    const unfinished = join(this.path, `.${name}`);
    const file = await open(unfinished, 'wx', 0o600);
    try {
      await file.writeFile(lines.map((line) => `${line}\n`).join(''));
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(unfinished, join(this.path, name));
  }

  private take(line: string): void {
    const checkpoint = readCheckpoint(this.publicKey, line);
    if (checkpoint === undefined) return;
    const known = this.latestOf.get(checkpoint.app_id);
    if (known === undefined || known.sequence <= checkpoint.sequence)
      this.latestOf.set(checkpoint.app_id, checkpoint);
  }
}

/** The names of a folder's checkpoint files, oldest first. */
export async function checkpointFiles(folder: string): Promise<string[]> {
  const names = await readdir(folder);
  return names.filter((name) => name.endsWith(SUFFIX) && !name.startsWith('.')).toSorted();
}

export function linesIn(text: string): string[] {
  return text.split('\n').filter((line) => line !== '');
}
