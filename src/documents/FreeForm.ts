/** A free-form value of an answer, printed as it is. */
export class FreeForm {
  constructor(private readonly value: unknown) {}

  toJSON(): unknown {
    return this.value;
  }
}

/** A free-form value as it is stored, inserted into the answer without being parsed (ADR 59, 60). */
export class StoredJson extends FreeForm {
  constructor(readonly text: string) {
    super(undefined);
  }

  override toJSON(): unknown {
    return JSON.parse(this.text);
  }
}

/** The value of a column that was read as text. */
export function storedJson(text: string | null): StoredJson | null {
  return text === null ? null : new StoredJson(text);
}
