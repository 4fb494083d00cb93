import { type Failure, withFacts } from '../../base/failure.ts';
import { omitUndefined } from '../../base/json.ts';
import {
  type OutsideValues,
  replaceOutsideValues,
  withFieldSources,
  withSources,
} from '../../base/outside-values.ts';
import type { Prompter } from '../command/context.ts';
import type { Result } from '../command/result.ts';
import type { HoldingNotices } from './notices.ts';

/**
 * Replaces values from outside (such as environment variables) by their sources, such as `${env.NAME}`. The functions
 * of this file filter all output before it is laid out, cut or encoded.
 */
export function gatedResult(result: Result, outside: OutsideValues): Result {
  const show = <T>(given: T): T => replaceOutsideValues(given, outside);
  if (result.kind === 'program') return result;
  if (result.kind === 'fleet') {
    const { documents, rowsOf, namesOf, end } = result;
    return withMembers(result, {
      documents: show(documents),
      rowsOf: show(rowsOf),
      namesOf: show(namesOf),
      end: show(end),
    });
  }
  if (result.kind === 'list') {
    const { items, documents, screens, cut, summary, message } = result;
    return withMembers(result, {
      items: show(items),
      ...omitUndefined({ screens, cut: show(cut), summary: show(summary), message: show(message) }),
      ...(documents && { documents: showEach(documents, show) }),
    });
  }
  if (outside.size === 0) return result;
  const isRecord = result.kind === 'item' || result.kind === 'done';
  const members = Object.entries(result).map(([name, part]) => {
    if (displayMembers.has(name)) return [name, part];
    if (isRecord && name === 'value') return [name, withFieldSources(show(part), outside)];
    return [name, name === 'documents' ? showEach(part, show) : show(part)];
  });
  return withMembers(result, Object.fromEntries(members));
}

/** Members of results that are only about the display. Failures are filtered when they are reported. */
const displayMembers: ReadonlySet<string> = new Set([
  'kind',
  'resource',
  'exit',
  'failure',
  'columns',
  'schema',
  'bytes',
]);

/** Copies a result with other members. Members that are only known at the end remain getters. */
const withMembers = <R extends Result>(result: R, members: Partial<R>): R =>
  Object.defineProperties<R>(Object.create(null), {
    ...Object.getOwnPropertyDescriptors(result),
    ...Object.getOwnPropertyDescriptors(members),
  });

const showEach = <T extends object>(functions: T, show: <F>(given: F) => F): T => ({
  ...functions,
  ...Object.fromEntries(Object.entries(functions).map(([name, make]) => [name, show(make)])),
});

export function gatedFailure(failure: Failure, outside: OutsideValues): Failure {
  if (outside.size === 0) return failure;
  const { lines, sentence, hint, next, details, warnings, accepted, open } = failure;
  const shown = replaceOutsideValues({ lines, sentence, details, warnings, accepted, open }, outside);
  return withFacts(failure, {
    ...shown,
    ...(hint === undefined ? {} : { hint: { text: withSources(hint, outside), next } }),
  });
}

/** Removes values from outside from notices. Secrets that a runner masks are unchanged. */
export function gatedNotices(notices: HoldingNotices, outside: OutsideValues): HoldingNotices {
  const { annotate } = notices;
  const show = <T>(given: T): T => replaceOutsideValues(given, outside);
  return {
    ...notices,
    say: (said) => notices.say(show(said)),
    warn: (said) => notices.warn(show(said)),
    warnAboutField: (field, said) => notices.warnAboutField(field, show(said)),
    report: (lines) => notices.report(show(lines)),
    table: (table) => notices.table(show(table)),
    writeAnnotation: (found, always) => notices.writeAnnotation(shownAnnotation(found, show), always),
    progress: (done, total, what) => notices.progress(done, total, show(what)),
    ...(annotate && { annotate: (found) => annotate(shownAnnotation(found, show)) }),
  };
}

const shownAnnotation = <A extends { readonly message: string }>(found: A, show: <T>(given: T) => T): A => ({
  ...found,
  message: show(found.message),
});

export function gatedPrompter(ask: Prompter, outside: OutsideValues): Prompter {
  const show = <T>(given: T): T => replaceOutsideValues(given, outside);
  return {
    available: ask.available,
    confirm: (question, otherwise) => ask.confirm(show(question), otherwise),
    confirmExplicitly: (question) => ask.confirmExplicitly(show(question)),
    secret: (question, otherwise) => ask.secret(show(question), otherwise),
    text: (question, otherwise) => ask.text(show(question), otherwise),
    typed: (question, word, otherwise) => ask.typed(show(question), show(word), show(otherwise)),
  };
}
