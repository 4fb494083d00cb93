import { Failure } from '../../../base/failure.ts';
import type { Host } from '../../../base/host/host.ts';
import { resolveSettings } from '../../../client/session/resolve-settings.ts';
import { resourceByWord } from '../../../contract/catalogue.ts';
import { nameInLine } from '../../terminal/describe.ts';
import { plainStyle } from '../../terminal/style.ts';
import { runOptionsOf } from '../run-options.ts';
import { createServices, type Parts } from '../services.ts';
import { cachedNames, keepNames, namesAtMost, selectorsIn } from './live-words.ts';

/**
 * Reads the names of a resource for completion: `telctl __refresh-names users`, started in the background. Asks
 * nothing and says nothing; where names cannot be read, the old ones stay.
 */
export async function refreshNames(words: readonly string[], host: Host, parts: Parts): Promise<void> {
  const resource = resourceByWord(words[0] ?? '');
  const list = resource?.operations.find(({ verb }) => verb === 'list');
  if (!resource || !list) return;
  const settings = resolveSettings({ options: { ...selectorsIn(words), noInput: true, retries: 0 }, host });
  const services = createServices({
    errorsStandAlone: false,
    line: { command: '__refresh-names', note: undefined },
    host,
    settings,
    options: runOptionsOf({ quiet: true }),
    style: plainStyle,
    parts,
  });
  const names = new Set(cachedNames(host, settings, resource.name)?.names);
  try {
    const found = new Set<string>();
    for await (const page of (await services.api()).pages({ operation: list })) {
      for (const record of page) found.add(nameInLine(record, resource.naturalKeys));
      if (found.size >= namesAtMost) break;
    }
    keepNames(host, settings, resource.name, { atMs: host.clock.now(), names: [...found] });
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    keepNames(host, settings, resource.name, { atMs: host.clock.now(), names: [...names] });
  } finally {
    await services.close();
  }
}
