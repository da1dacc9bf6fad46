/** JSON of a list of documents that stands in an answer as it was stored, never parsed on its way. */
export class StoredText {
  readonly text: string;
  /** How many documents there are. */
  readonly count: number;

  constructor(text: string, count: number) {
    this.text = text;
    this.count = count;
  }
}
