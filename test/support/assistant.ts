import { PassThrough } from 'node:stream';
import { Client } from '@modelcontextprotocol/client';
import { StdioServerTransport } from '@modelcontextprotocol/server/stdio';
import { onTestFinished } from 'vitest';
import { isObject, type JsonObject } from '../../src/base/json.ts';
import type { Run, RunOptions, World } from './world.ts';

/** An assistant, as the official client, and the program that serves it. */
export interface Session {
  readonly client: Client;
  /** Calls a tool and gives its answer, which is JSON in one text. */
  call(name: string, args: JsonObject): Promise<JsonObject & { readonly isError: boolean }>;
  /** Ends the session, and gives the run of the program. */
  end(): Promise<Run>;
}

/** Starts `telctl mcp` in a world, and speaks to it; `newClient` makes the client, such as one whose person can be asked. */
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
      // What the protocol itself refuses is a sentence.
      const answer: unknown = text.startsWith('{') ? JSON.parse(text) : { refused: text };
      if (!isObject(answer)) throw new Error('no answer');
      return { ...answer, isError: isError === true };
    },
  };
}
