/** The text, or what stands for it where nothing of it could be seen. */
export function visibleText(text: string | null | undefined, instead: string): string {
  return text !== null && text !== undefined && /[\p{L}\p{N}\p{P}\p{S}]/u.test(text) ? text : instead;
}
