import type { paths } from './schema.js';

/**
 * The paths of `/v1` as a caller sees them: an `Idempotency-Key` may be left out, as the client gives one.
 * Those of `/oauth` take forms, and the client sends JSON.
 */
export type ClientPaths = {
  [Path in keyof paths & `/v1/${string}`]: {
    [Method in keyof paths[Path]]: WithOptionalKey<paths[Path][Method]>;
  };
};

type WithOptionalKey<Operation> = Operation extends {
  parameters: { header: infer Header extends { 'Idempotency-Key': string } };
}
  ? Omit<Operation, 'parameters'> & {
      parameters: Omit<Operation['parameters'], 'header'> & {
        header?: Omit<Header, 'Idempotency-Key'> & Partial<Pick<Header, 'Idempotency-Key'>>;
      };
    }
  : Operation;
