import { hash as hashed } from 'node:crypto';
import type { DocumentNode } from 'graphql';
import { LRUCache } from 'lru-cache';
import { ServiceError } from '../errors.js';
import type { OperationCompiler } from '../execution/OperationCompiler.js';
import type { OperationClass } from '../access/RateLimiter.js';
import { checkDocument, parseDocument } from './checkDocument.js';
import { CheckedDocument } from './CheckedDocument.js';
import { guessClass } from './rootClasses.js';
import { InvalidOperation } from './InvalidOperation.js';
import type { Source } from './readOperation.js';
import type { TrustedDocument } from './TrustedDocument.js';

export interface DocumentOptions {
  /** Maximum cached documents: one with a compiled operation takes about 0.1 MB. */
  capacity?: number;
  /** Maximum total characters of their texts. */
  characters?: number;
  /** Number of requests for an operation before it is compiled, which takes 1 to 30 ms. */
  compileAfter?: number;
  /** Whether only trusted documents are accepted. */
  trustedOnly?: boolean;
}

/** Maximum share of the characters for one document, so that it cannot evict all others. */
const SHARE = 1 / 8;

/** Maximum characters of the texts that clients registered by their hash. */
const MAX_PERSISTED = 4 * 2 ** 20;

/**
 * A cache of valid documents by the SHA-256 of their text, each parsed and checked once. The least recently
 * used are evicted first; trusted documents never are.
 */
export class Documents {
  private readonly trustedOnly: boolean;
  private readonly compileAfter: number;
  private readonly trusted = new Map<string, CheckedDocument>();
  private readonly checked: LRUCache<string, CheckedDocument>;
  private readonly persisted = new LRUCache<string, string>({
    maxSize: MAX_PERSISTED,
    sizeCalculation: lengthOf,
  });

  constructor(
    readonly compiler: OperationCompiler,
    { capacity = 300, characters = 2 ** 20, compileAfter = 2, trustedOnly = false }: DocumentOptions = {},
  ) {
    this.trustedOnly = trustedOnly;
    this.compileAfter = compileAfter;
    this.checked = new LRUCache({
      max: capacity,
      maxSize: characters,
      maxEntrySize: characters * SHARE,
      sizeCalculation: ({ text }) => lengthOf(text),
    });
  }

  get size(): number {
    return this.checked.size;
  }

  /** Registers a trusted document and compiles its queries. */
  trust({ hash, text, document }: TrustedDocument): void {
    this.trusted.set(hash, new CheckedDocument(this.compiler, text, document, 0));
  }

  /**
   * The document that a request names; undefined where it must first be checked, which takes some
   * milliseconds. A text sent with its hash can be requested by that hash afterwards.
   *
   * @throws ServiceError `invalid_request` when the hash does not match the text
   * @throws InvalidOperation when it is not trusted while only trusted ones are accepted
   */
  known(source: Source): CheckedDocument | undefined {
    const text = 'text' in source ? source.text : undefined;
    const hash = text === undefined ? source.hash : hashed('sha256', text);
    if (hash === undefined || (source.hash !== undefined && source.hash !== hash))
      throw new ServiceError('invalid_request', 'The hash is not that of the query.');
    const known = this.trusted.get(hash) ?? this.checked.get(hash);
    if (known === undefined && this.trustedOnly) throw notRegistered(text);
    if (text !== undefined && source.hash !== undefined) this.persisted.set(hash, text);
    return known;
  }

  /** The same, checked if need be. @throws InvalidOperation also when it is unknown or not valid */
  find(source: Source): CheckedDocument {
    const known = this.known(source);
    if (known !== undefined) return known;
    const text = this.textOf(source);
    if (text === undefined)
      throw InvalidOperation.because('PersistedQueryNotFound', 'PERSISTED_QUERY_NOT_FOUND');
    return this.check(hashed('sha256', text), text);
  }

  /**
   * The limit that a request counts against before its document is checked. A wrong guess is corrected when
   * the operation runs.
   */
  guessClass(source: Source, operationName: string | undefined): OperationClass {
    const text = this.textOf(source);
    if (text === undefined || !/\bmutation\b/.test(text)) return 'read';
    try {
      return guessClass(this.parsed(hashed('sha256', text)) ?? parseDocument(text), operationName);
    } catch {
      return 'write';
    }
  }

  /** The text that a request names, if known. */
  private textOf(source: Source): string | undefined {
    if ('text' in source) return source.text;
    return this.trusted.get(source.hash)?.text ?? this.persisted.get(source.hash);
  }

  /** The parsed document with the hash, for Apollo Server. */
  parsed(hash: string): DocumentNode | undefined {
    return (this.trusted.get(hash) ?? this.checked.get(hash))?.document;
  }

  private check(hash: string, text: string): CheckedDocument {
    const document = checkDocument(this.compiler.schema, text);
    const checked = new CheckedDocument(this.compiler, text, document, this.compileAfter);
    this.checked.set(hash, checked);
    return checked;
  }
}

function lengthOf(text: string): number {
  return Math.max(1, text.length);
}

function notRegistered(text: string | undefined): InvalidOperation {
  return text === undefined
    ? InvalidOperation.because('No operation is registered by this id.', 'PERSISTED_QUERY_NOT_IN_LIST')
    : InvalidOperation.because(
        'Only registered operations are answered here, by documentId.',
        'QUERY_NOT_IN_SAFELIST',
      );
}
