import { resolve } from 'node:path';
import { Failure } from '../../../base/failure.ts';
import { counted } from '../../../base/wording.ts';
import { firstCases } from '../../../engine/call-tests/tried-calls.ts';
import { writeFiles } from '../../../engine/manifest/manifest-files.ts';
import type { InputOf } from '../../command/command.ts';
import type { Context } from '../../command/context.ts';
import type { Result } from '../../command/result.ts';
import { readCallAccount } from '../make-calls.ts';
import type { initOptions } from './commands.ts';

/** Writes cases that say how calls go today. */
export async function writeFirstCases(input: InputOf<typeof initOptions>, context: Context): Promise<Result> {
  const { host } = context;
  const account = await readCallAccount(context, input);
  const text = firstCases(account, host.clock.now());
  const { out } = input;
  if (out === undefined) return { kind: 'document', text, isYaml: true };
  if (host.files.kindOf(resolve(host.cwd, out)) !== undefined)
    throw new Failure('refused', `${out} is there already. Nothing was written.`, {
      hint: 'Write another file with --out, or leave --out out and compare.',
    });
  if (context.options.dryRun) return { kind: 'done', message: `Would write ${out}. Nothing was written.` };
  writeFiles(host, [{ name: out, text }], { folder: undefined, secret: false });
  const count = text.match(/^ {2}- name:/gm)?.length ?? 0;
  return {
    kind: 'done',
    message: `Wrote ${counted(count, 'case')} to ${out}.`,
    value: { file: out, cases: count },
  };
}
