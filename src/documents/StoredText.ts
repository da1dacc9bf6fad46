/** JSON that stands in an answer as it was stored, never parsed on its way. */
export class StoredText {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}
