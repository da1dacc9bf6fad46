import type pg from 'pg';

/** pg emits settings that the server reports as an event of a field that its typings leave out. */
interface Fields {
  connection: { on(event: 'parameterStatus', hear: (message: ParameterStatus) => void): void };
}

interface ParameterStatus {
  parameterName: string;
  parameterValue: string;
}

/**
 * Reports whether the server is a standby: at login, and again when it is promoted. Needs no query:
 * PostgreSQL 14 and newer report it.
 */
export function hearStandby(client: pg.Client, hear: (isStandby: boolean) => void): void {
  const { connection } = client as unknown as Fields;
  connection.on('parameterStatus', ({ parameterName: name, parameterValue: value }) => {
    if (name === 'in_hot_standby') hear(value === 'on');
  });
}
