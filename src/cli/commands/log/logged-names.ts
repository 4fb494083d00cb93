import { idToken, namedIds } from '../../../base/wording.ts';
import { kindOf } from '../../../engine/manifest/kinds.ts';
import { newestRuns, type Runs } from '../../../engine/state/runs.ts';

/**
 * Puts the names of records that the log knows in the place of their ids. The log is gone through once, and only when a
 * text has an id; nothing is sent.
 */
export function loggedNames(runs: Runs): (text: string) => Promise<string> {
  let names: Promise<ReadonlyMap<string, string>> | undefined;
  return async (text) => {
    if (!new RegExp(idToken).test(text)) return text;
    names ??= namesIn(runs);
    return namedIds(text, await names);
  };
}

async function namesIn(runs: Runs): Promise<ReadonlyMap<string, string>> {
  const names = new Map<string, string>();
  for await (const { parts } of newestRuns(runs, {}))
    for (const { planned, begin, end } of parts.flatMap(({ steps }) => steps)) {
      const id = end?.id ?? begin?.id;
      const word = kindOf(planned.kind)?.resource.singular;
      if (id === undefined || names.has(id) || !word || !planned.label.startsWith(`${word} `)) continue;
      const name = planned.label.slice(word.length + 1);
      names.set(id, name.replace(/^"(.*)"$/, '$1'));
    }
  return names;
}
