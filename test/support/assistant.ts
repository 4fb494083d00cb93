import { PassThrough } from 'node:stream';
import { Client } from '@modelcontextprotocol/client';
import { StdioServerTransport } from '@modelcontextprotocol/server/stdio';
import { onTestFinished } from 'vitest';
import { isObject, type JsonObject } from '../../src/base/json.ts';
import type { Run, RunOptions, World } from './world.ts';

/** An MCP session of the official client with a running `telctl mcp`. */
export interface Session {
  readonly client: Client;
  /** Calls a tool and returns its JSON result. */
  call(name: string, args: JsonObject): Promise<JsonObject & { readonly isError: boolean }>;
  end(): Promise<Run>;
}

/**
 * Starts `telctl mcp` in a world and connects to it. `newClient` creates the client, for example one that answers
 * questions.
 */
export async function connect(
  world: World,
  line = 'mcp',
  options: RunOptions = {},
  newClient = () => new Client({ name: 'test', version: '1' }),
): Promise<Session> {
  const [stdin, stdout] = [new PassThrough(), new PassThrough()];
  const run = world.telctl(line, { ...options, peer: { stdin, stdout } });
  const client = newClient();
  // The transport is the same at both ends: messages are lines.
  await client.connect(new StdioServerTransport(stdout, stdin));
  const end = async (): Promise<Run> => {
    stdin.end();
    return run;
  };
  onTestFinished(async () => void (await end()));
  return {
    client,
    end,
    async call(name, args) {
      const { content, isError } = await client.callTool({ name, arguments: { ...args } });
      const [first] = content;
      const text = first?.type === 'text' ? first.text : '';
      // Protocol errors are plain text.
      const answer: unknown = text.startsWith('{') ? JSON.parse(text) : { refused: text };
      if (!isObject(answer)) throw new Error('no answer');
      return { ...answer, isError: isError === true };
    },
  };
}
