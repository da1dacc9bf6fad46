import { open } from 'node:fs/promises';
import type { FileHandle } from 'node:fs/promises';

/**
 * Appends lines to a file, all or none: what a full disk took of them is removed again. A line before them
 * that a kill cut short is ended first.
 */
export async function appendLines(path: string, lines: readonly string[]): Promise<void> {
  const text = lines.map((line) => `${line}\n`).join('');
  const file = await open(path, 'a+', 0o600);
  try {
    const former = await file.stat();
    if (!former.isFile()) return await file.appendFile(text);
    try {
      await file.appendFile((await isCutShort(file, former.size)) ? `\n${text}` : text);
      await file.sync();
    } catch (error) {
      await file.truncate(former.size);
      throw error;
    }
  } finally {
    await file.close();
  }
}

async function isCutShort(file: FileHandle, size: number): Promise<boolean> {
  if (size === 0) return false;
  const { buffer } = await file.read({ buffer: Buffer.alloc(1), position: size - 1 });
  return buffer.toString() !== '\n';
}
