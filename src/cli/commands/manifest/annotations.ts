import { Failure } from '../../../base/failure.ts';
import { isObject, type Json } from '../../../base/json.ts';
import type { Problem } from '../../../engine/input/document.ts';
import type { Annotation, Context } from '../../command/context.ts';

export const annotateOption = {
  annotate: {
    value: 'WHEN',
    choices: ['auto', 'always', 'never'],
    doc: 'Annotate lines of files on stderr: auto in jobs of GitHub Actions and Azure Pipelines, always (GitHub format elsewhere), never (default: auto)',
  },
} as const;

const mostAnnotations = 50;

/** Runs work, and annotates its warnings about files and the problems of its failure. */
export async function withAnnotations<T, C extends Pick<Context, 'notices'>>(
  context: C,
  when: 'auto' | 'always' | 'never' = 'auto',
  work: (context: C) => Promise<T>,
): Promise<T> {
  if (when === 'never') return work(context);
  const { notices } = context;
  const told = new Set<string>();
  const annotate = (found: Annotation): void => {
    const key = JSON.stringify(found);
    if (told.has(key) || told.size >= mostAnnotations) return;
    told.add(key);
    notices.writeAnnotation(found, when === 'always');
  };
  try {
    return await work({ ...context, notices: { ...notices, annotate } });
  } catch (error) {
    const problems = error instanceof Failure && isObject(error.details) ? error.details.problems : undefined;
    for (const problem of Array.isArray(problems) ? problems : [])
      if (isObject(problem)) annotate(annotationOf('error', problem));
    throw error;
  }
}

/** Problems of options and of standard input have no annotation. */
export function annotationOf(
  level: Annotation['level'],
  { file, line, column, message }: Partial<Problem> | Readonly<Record<string, Json | undefined>>,
): Annotation {
  const numberOrUndefined = (value: unknown): number | undefined =>
    typeof value === 'number' ? value : undefined;
  return {
    level,
    file: typeof line === 'number' ? String(file) : undefined,
    line: numberOrUndefined(line),
    column: numberOrUndefined(column),
    message: typeof line === 'number' ? String(message) : `${String(file)}: ${String(message)}`,
  };
}
