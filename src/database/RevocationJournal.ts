import { randomUUID } from 'node:crypto';
import { appendFile, open, readdir, readFile, rm, stat } from 'node:fs/promises';
import type { FileHandle } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { createFileOnce } from './createFileOnce.js';
import { makeFolder } from './makeFolder.js';
import { DAY_MS } from '../domain/timestamp.js';
import { StartFailure } from './StartFailure.js';
import { canonicalDate } from '../domain/resolution/canonicalDate.js';

/** What a restored backup must not bring back. Ids and purposes only. */
export type JournalEntry = AppEntry | (EntryFacts & { kind: 'account_deleted'; account_id: string });

interface EntryFacts {
  at: string;
  /** Of the transaction that wrote it. Entries of earlier versions have none. */
  id?: string;
}

/** Tells that the transaction whose entries have the id `of` rolled back. */
interface Void {
  at: string;
  kind: 'void';
  of: string;
  /** Of no app. Earlier versions read past an entry of an unknown kind if it has an app. */
  app_id: '';
}

export interface Revocation {
  kind: 'revoked';
  customer_id: string;
  receipt_id: string;
  purposes: readonly string[];
  /** The consent epoch of each purpose that ended. Entries of earlier versions have none. */
  epochs?: readonly number[];
}

export type AppEntry = EntryFacts & { app_id: string } & (
    Revocation | { kind: 'erased'; customer_id: string } | { kind: 'app_deleted' }
  );

export interface Journal {
  /** Resolves when the entries are on disk. They are written together. */
  append(...entries: (JournalEntry | Void)[]): Promise<void>;
}

interface Waiting {
  lines: string;
  resolve: () => void;
  reject: (error: unknown) => void;
}

/** Lists the names of a journal's files, each before its first entry; a removed file again, with a minus. */
const INDEX = 'index';
const REMOVED = '-';
/** How the names of files with entries end. */
const FILE = '.jsonl';
const ID = 'id';

/**
 * Withdrawals outside the database, in a folder shared by all processes. Each process writes its own file, an
 * entry before its transaction commits. Concurrent entries share one flush to disk.
 */
export class RevocationJournal implements Journal {
  private file: Promise<FileHandle> | undefined;
  /** The day on which the file was begun. */
  private day = '';
  /** The bytes of its entries that are on disk. */
  private size = 0;
  /** The name of a file that was made and is not yet in the index. */
  private unlisted: string | undefined;
  private waiting: Waiting[] = [];
  private flushing: Promise<void> | undefined;

  constructor(readonly folder: string) {}

  append(...entries: (JournalEntry | Void)[]): Promise<void> {
    const lines = entries.map((entry) => `${JSON.stringify(entry)}\n`).join('');
    return new Promise((resolve, reject) => {
      this.waiting.push({ lines, resolve, reject });
      this.flushing ??= this.flush();
    });
  }

  /** The id of the folder's journal; undefined without one. */
  async id(): Promise<string | undefined> {
    return (await this.textOf(ID))?.trim();
  }

  /** Begins a journal, unless another process just did. Returns its id. */
  async begin(): Promise<string> {
    makeFolder(this.folder, 0o700);
    await createFileOnce(join(this.folder, ID), `${randomUUID()}\n`);
    return (await this.id()) ?? '';
  }

  /**
   * Every entry but those of transactions that rolled back. The newest file is read first: a process voids in
   * the file of the entry or in a later one.
   *
   * @throws StartFailure when a file is missing or damaged
   */
  async *entries(): AsyncGenerator<JournalEntry> {
    const voided = new Set<string>();
    for (const name of (await this.files()).reverse()) {
      const entries = await this.read(name);
      for (const entry of entries) if (entry.kind === 'void') voided.add(entry.of);
      for (const entry of entries)
        if (entry.kind !== 'void' && (entry.id === undefined || !voided.has(entry.id))) yield entry;
    }
  }

  /**
   * Names of the files, each beginning with the day (UTC) of its entries, or a later one.
   *
   * @throws StartFailure when the index is missing, or it or the folder cannot be read: an empty journal would
   *   forget all
   */
  async files(): Promise<string[]> {
    const index = await this.textOf(INDEX);
    if (index === undefined && (await this.hasEntries()))
      throw new StartFailure(`REVOCATION_JOURNAL: the file ${INDEX} is missing from its folder.`);
    return namesIn(index);
  }

  /**
   * Removes the files of days before `day`, which no backup needs, and returns their names. Safe while other
   * processes write: none writes to a file of an earlier day.
   *
   * @param day as 2026-11-22; before yesterday
   * @throws TypeError for a day that is not over in every time zone
   */
  async prune(day: string): Promise<string[]> {
    if (canonicalDate(day) !== day || !(Date.parse(day) <= Date.now() - DAY_MS))
      throw new TypeError('before must be a day such as 2026-11-22, and not later than yesterday.');
    const old = (await this.files()).filter((name) => dayOf(name) < day);
    for (const name of old) {
      await this.list(`${REMOVED}${name}`);
      await rm(join(this.folder, name), { force: true });
    }
    return old;
  }

  async close(): Promise<void> {
    await this.flushing;
    await (await this.file)?.close();
  }

  /** The text of a file; undefined without one. */
  private async textOf(name: string): Promise<string | undefined> {
    try {
      return await readFile(join(this.folder, name), 'utf8');
    } catch (error) {
      if (codeOf(error) === 'ENOENT') return undefined;
      throw new StartFailure(`REVOCATION_JOURNAL: the file ${name} cannot be read (${codeOf(error)}).`);
    }
  }

  /** The names in the folder; none without one. */
  private async names(): Promise<string[]> {
    try {
      return await readdir(this.folder);
    } catch (error) {
      if (codeOf(error) === 'ENOENT') return [];
      throw new StartFailure(`REVOCATION_JOURNAL: the folder cannot be listed (${codeOf(error)}).`);
    }
  }

  /** Whether any file has entries. A file is still empty when its name is written to the index. */
  private async hasEntries(): Promise<boolean> {
    const files = (await this.names()).filter((name) => name.endsWith(FILE));
    const sizes = await Promise.all(files.map(async (name) => (await stat(join(this.folder, name))).size));
    return sizes.some((size) => size > 0);
  }

  private async read(name: string): Promise<(JournalEntry | Void)[]> {
    const text = await this.textOf(name);
    if (text === undefined)
      throw new StartFailure(
        `REVOCATION_JOURNAL: the file ${name}, which the index names, is missing from its folder.`,
      );
    const lines = text.split('\n');
    // A truncated last line belongs to a withdrawal that was never answered.
    return lines.slice(0, -1).map((line, place) => {
      try {
        return JSON.parse(line) as JournalEntry | Void;
      } catch {
        throw new StartFailure(`REVOCATION_JOURNAL: line ${place + 1} of ${name} is damaged.`);
      }
    });
  }

  /**
   * Writes all that waits. Whoever was answered may append at once, so the end is marked in the same turn in
   * which nothing is found waiting.
   */
  private async flush(): Promise<void> {
    while (this.waiting.length > 0) {
      const batch = this.waiting.splice(0);
      try {
        if (this.day < today()) await this.closeFile();
        this.file ??= this.openFile();
        const file = await this.file;
        const lines = Buffer.from(batch.map(({ lines: own }) => own).join(''));
        await file.appendFile(lines);
        await file.datasync();
        this.size += lines.length;
        for (const { resolve } of batch) resolve();
      } catch (error) {
        await this.takeBack().catch(() => this.closeFile().catch(() => undefined));
        for (const { reject } of batch) reject(error);
      }
    }
    this.flushing = undefined;
  }

  /** Removes what a failed write left, or fails; the next entry then begins a new file. */
  private async takeBack(): Promise<void> {
    const file = await this.file;
    await file?.truncate(this.size);
    await file?.datasync();
  }

  private async closeFile(): Promise<void> {
    const { file } = this;
    this.file = undefined;
    await (await file)?.close();
  }

  /** Of a day no earlier than those of other files: a clock that is behind must not date it for `prune`. */
  private async openFile(): Promise<FileHandle> {
    const days = namesIn(await this.textOf(INDEX)).map(dayOf);
    this.day = days.reduce((latest, day) => (day > latest ? day : latest), today());
    this.size = 0;
    if (this.unlisted?.startsWith(this.day) !== true)
      this.unlisted = `${this.day}-${hostname()}-${randomUUID().slice(0, 8)}${FILE}`;
    const file = await open(join(this.folder, this.unlisted), 'a', 0o600);
    try {
      await this.list(this.unlisted);
    } catch (error) {
      await file.close();
      throw error;
    }
    this.unlisted = undefined;
    return file;
  }

  /** Writes a line to the index, apart from one that was cut short before it. */
  private async list(line: string): Promise<void> {
    await appendFile(join(this.folder, INDEX), `\n${line}\n`, { flush: true, mode: 0o600 });
  }
}

/** The files that an index lists and that were not removed since. */
function namesIn(index = ''): string[] {
  // What does not end as a name does was cut short by a full disk, or is being written.
  const lines = index.split('\n').filter((line) => line.endsWith(FILE));
  const removed = new Set(lines.filter((line) => line.startsWith(REMOVED)).map((line) => line.slice(1)));
  return lines.filter((line) => !line.startsWith(REMOVED) && !removed.has(line));
}

function dayOf(name: string): string {
  return name.slice(0, 'YYYY-MM-DD'.length);
}

function codeOf(error: unknown): string | undefined {
  return (error as NodeJS.ErrnoException).code;
}

function today(): string {
  return new Date().toISOString().slice(0, 10);
}
