import { afterAll } from 'vitest';
import { type PostgresServer, startPostgres } from './postgres-server.ts';

export type { PostgresServer };

/** Starts a PostgreSQL server for one test file. */
export async function postgresServer(): Promise<PostgresServer> {
  const server = await startPostgres();
  afterAll(server.end);
  return server;
}
