import { snakeCase } from '../../src/domain/snakeCase.js';

/** Converts a description of the schema to REST spelling: names in snake case, enum values in lower case. */
export function restWords(description: string): string {
  return description.replace(/`([^`]+)`/g, (_match, code: string) => `\`${restWord(code)}\``);
}

function restWord(code: string): string {
  if (/^[A-Z][A-Z_]+$/.test(code) && code.includes('_')) return code.toLowerCase();
  if (/^[a-z]+(?:[A-Z][a-z0-9]*)+(?:\.[a-zA-Z]+)*$/.test(code)) return snakeCase(code);
  return /^[A-Z]{3,}$/.test(code) && !ACRONYMS.has(code) ? code.toLowerCase() : code;
}

const ACRONYMS = new Set(['POST', 'GET', 'PUT', 'PATCH', 'DELETE', 'JWS', 'URL']);
