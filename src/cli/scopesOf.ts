import type { Options } from './runProgram.js';

/** `--scopes`, separated by spaces or commas; empty when absent. */
export function scopesOf(options: Options): { scopes?: string[] } {
  const { scopes } = options;
  return typeof scopes === 'string' ? { scopes: scopes.split(/[\s,]+/).filter(Boolean) } : {};
}
