import { Transform } from 'node:stream';
import { deserializeMessage, STDIO_DEFAULT_MAX_BUFFER_SIZE } from '@modelcontextprotocol/server';
import { isObject } from '../../base/json.ts';

/** JSON-RPC 2.0 errors (section 5.1) for a line that is not a message. */
const parseError = { code: -32700, message: 'Parse error' };
const invalidRequest = { code: -32600, message: 'Invalid request' };

/** Returns the JSON-RPC error for a line. Returns `undefined` for messages and blank lines. */
function findLineError(line: string): string | undefined {
  if (line.trim() === '') return undefined;
  let value: unknown;
  try {
    value = JSON.parse(line);
    deserializeMessage(line);
    return undefined;
  } catch (problem) {
    const error = problem instanceof SyntaxError ? parseError : invalidRequest;
    const sent = isObject(value) ? value.id : undefined;
    const id = typeof sent === 'string' || typeof sent === 'number' ? sent : null;
    return `${JSON.stringify({ jsonrpc: '2.0', id, error })}\n`;
  }
}

/**
 * Creates a stream that passes on messages, and sends the error for each other line to `respond`. The protocol
 * package would skip such lines without a response, so the client would wait for its timeout. Lines above the size
 * limit of the package are passed on, so that it closes the connection.
 */
export function messageLines(respond: (response: string) => void): Transform {
  let begun: Buffer[] = [];
  let size = 0;
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      let rest = chunk;
      for (let end = rest.indexOf('\n'); end >= 0; end = rest.indexOf('\n')) {
        const line = Buffer.concat([...begun, rest.subarray(0, end + 1)]);
        [begun, size, rest] = [[], 0, rest.subarray(end + 1)];
        const refusal = findLineError(line.toString('utf8'));
        if (refusal === undefined) this.push(line);
        else respond(refusal);
      }
      begun.push(rest);
      size += rest.length;
      if (size > STDIO_DEFAULT_MAX_BUFFER_SIZE) {
        for (const piece of begun) this.push(piece);
        [begun, size] = [[], 0];
      }
      done();
    },
  });
}
