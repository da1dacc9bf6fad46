import type { LoadHook } from 'node:module';

const SOURCE = `
export async function readBody(request) {
  const chunks = [];
  for await (const chunk of request) chunks.push(chunk);
  return Buffer.concat(chunks);
}
export const bodyTooLarge = (limit) => new Error('larger than ' + limit);`;

/** A loader of modules under which bodies are kept whole, whatever their size. */
export const load: LoadHook = async (url, context, nextLoad) =>
  url.endsWith('/http/readBody.js')
    ? { format: 'module', shortCircuit: true, source: SOURCE }
    : nextLoad(url, context);
