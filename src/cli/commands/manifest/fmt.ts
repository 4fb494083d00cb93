import { Failure } from '../../../base/failure.ts';
import { formatCount } from '../../../base/wording.ts';
import { type Problem, problemsFailure } from '../../../engine/input/document.ts';
import { readInput } from '../../../engine/input/read-input.ts';
import { formatManifest } from '../../../engine/manifest/format-manifest.ts';
import { manifestFiles, writeFiles } from '../../../engine/manifest/manifest-files.ts';
import type { InputOf } from '../../command/command.ts';
import type { Context } from '../../command/context.ts';
import { plainColumns, type Result } from '../../command/result.ts';
import type { fmtArguments, fmtOptions } from './commands.ts';

/** Formats manifests, or lists those that need it. Throws `usage` or `invalid` before any file changes. */
export async function formatManifests(
  { files, check }: InputOf<typeof fmtOptions, typeof fmtArguments>,
  { host }: Context,
): Promise<Result> {
  const names = manifestFiles(host, files);
  const problems: Problem[] = [];
  const changed: { readonly name: string; readonly text: string }[] = [];
  let shown = '';
  for (const file of names) {
    const { name, text } = await readInput(host, file);
    const formatted = await formatManifest(name, text);
    if (formatted.problems) problems.push(...formatted.problems);
    else {
      if (file === '-') shown = formatted.text;
      if (formatted.text !== text) changed.push({ name: file, text: formatted.text });
    }
  }
  if (problems.length > 0) throw problemsFailure(problems);
  if (names.includes('-') && !check) {
    if (names.length > 1)
      throw new Failure('usage', '- formats standard input only; leave out the other files.');
    return { kind: 'document', text: shown, verbatim: true };
  }
  if (!check) writeFiles(host, changed, { folder: undefined, secret: false });
  return {
    kind: 'list',
    items: changed.map(({ name }) => ({ file: name })),
    columns: plainColumns('file'),
    noun: 'files',
    summary: () =>
      check
        ? `${formatCount(changed.length, 'file')} of ${names.length} would be formatted`
        : `${formatCount(changed.length, 'file')} of ${names.length} formatted`,
    ...(check && changed.length > 0 ? { exit: 'differences' } : {}),
  };
}
