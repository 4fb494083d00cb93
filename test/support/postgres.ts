import { afterAll } from 'vitest';
import { type PostgresServer, startPostgres } from './postgres-server.ts';

export type { PostgresServer };

export async function postgresServer(): Promise<PostgresServer> {
  const server = await startPostgres();
  afterAll(server.end);
  return server;
}
