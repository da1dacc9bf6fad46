declare module 'pg/lib/utils.js' {
  const utils: {
    /** The text of a value, or its bytes, as PostgreSQL takes it for a parameter. */
    prepareValue(value: unknown): string | Buffer | null;
  };
  export default utils;
}
