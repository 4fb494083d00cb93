import type { Result } from '../../command/result.ts';
import type { CompletionInput } from './completion-command.ts';
import { shells } from './completion-command.ts';
import { completionScript } from './scripts.ts';

/** Handler of `telctl completion`. */
export async function printCompletion(input: CompletionInput): Promise<Result> {
  const shell = shells.find((known) => known === input.shell) ?? 'bash';
  return { kind: 'document', text: completionScript(shell), verbatim: true };
}
