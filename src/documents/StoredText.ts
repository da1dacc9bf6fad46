/** JSON of a list of documents that stands in an answer as it was stored, never parsed on its way. */
export class StoredText {
  constructor(
    readonly text: string,
    /** How many documents there are. */
    readonly count: number,
  ) {}
}
