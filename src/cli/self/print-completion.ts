import type { Result } from '../../command/result.ts';
import { completionScript } from '../completion/scripts.ts';
import type { CompletionInput } from './completion.ts';
import { shells } from './completion.ts';

/** Handler of `telctl completion`. */
export async function printCompletion(input: CompletionInput): Promise<Result> {
  const shell = shells.find((known) => known === input.shell) ?? 'bash';
  return { kind: 'document', text: completionScript(shell), verbatim: true };
}
