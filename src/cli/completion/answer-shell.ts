import type { Host } from '../../host/host.ts';
import type { Output } from '../../terminal/output.ts';
import type { Parts } from '../parts.ts';

export async function answerShell(
  _argv: readonly string[],
  _host: Host,
  _parts: Parts,
  _out: Output,
): Promise<number> {
  return 0;
}
