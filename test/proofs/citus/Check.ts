/** Tells whether a promise held, with what was seen of it. */
export type Check = (what: string, holds: boolean, seen?: unknown) => void;
