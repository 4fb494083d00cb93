import { isObject, type JsonObject } from '../../base/json.ts';
import type { InputOf } from '../../command/command.ts';
import type { Context } from '../../command/context.ts';
import type { ListResult } from '../../command/result.ts';
import { media } from '../../contract/resources/media.ts';
import { operationFor } from '../generic/find-named.ts';
import type { languageArguments, promptArguments } from './commands.ts';

/** Counts media by language, or lists the ids of those in one. */
export async function mediaByLanguage(
  { language }: InputOf<Record<never, never>, typeof languageArguments>,
  context: Context,
): Promise<ListResult> {
  if (language === undefined) return counted(context, 'languages', 'language');
  const { data } = await (await context.api()).call({
    operation: operationFor(media, 'language'),
    path: { language },
  });
  const ids = Array.isArray(data) ? data.filter((each) => typeof each === 'string') : [];
  return {
    kind: 'list',
    items: ids.map((id) => ({ id })),
    columns: [{ header: 'ID', paths: ['id'] }],
    noun: 'media',
  };
}

/** Counts the languages of each prompt, or lists the media of one. */
export async function mediaByPrompt(
  { prompt }: InputOf<Record<never, never>, typeof promptArguments>,
  context: Context,
): Promise<ListResult> {
  if (prompt === undefined) return counted(context, 'prompts', 'prompt');
  const { data } = await (await context.api()).call({
    operation: operationFor(media, 'prompt'),
    path: { prompt_id: prompt },
  });
  // The documentation of compatible services has ids there.
  const items = (Array.isArray(data) ? data : []).flatMap((each): readonly JsonObject[] =>
    typeof each === 'string' ? [{ id: each }] : isObject(each) ? [each] : [],
  );
  return {
    kind: 'list',
    items,
    columns: [
      { header: 'ID', paths: ['id'] },
      { header: 'FILE', paths: ['has_attachments'], show: 'flag' },
    ],
    noun: 'media',
  };
}

/** A list of one object, from words to numbers, as records. */
async function counted(context: Context, verb: 'languages' | 'prompts', word: string): Promise<ListResult> {
  const { data } = await (await context.api()).call({ operation: operationFor(media, verb) });
  const counts = (Array.isArray(data) ? data : []).flatMap((each) =>
    isObject(each) ? Object.entries(each) : [],
  );
  return {
    kind: 'list',
    items: counts.map(([name, count]) => ({ [word]: name, count: count ?? 0 })),
    columns: [
      { header: word.toUpperCase(), paths: [word] },
      { header: verb === 'languages' ? 'MEDIA' : 'LANGUAGES', paths: ['count'] },
    ],
    noun: verb,
  };
}
