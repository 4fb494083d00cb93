import { expect, test } from 'vitest';
import { killAndRepeat, runWithoutKill, selectGapEvents } from './kill-gaps.ts';
import { killScenarios } from './kill-scenarios.ts';

/** A gap of each command in which a kill once had lasting effects. `npm run drill -- kills` kills in all gaps. */
const gaps: Readonly<Record<string, string>> = {
  onboard: 'reply to PUT /vN/accounts/*/users #1',
  'accounts copy': 'write state log/N.ndjson #2',
  'key rotation': 'mkdir home/.config/telctl/config.json.lock #1',
};

test.each(Object.entries(gaps))(
  '%s that is killed before "%s" is repeated without loss or duplicates',
  async (name, gap) => {
    const work = killScenarios.find((each) => each.name === name);
    if (!work) throw new Error(`Unknown scenario ${name}.`);
    const { events, left } = await runWithoutKill(work);
    expect(selectGapEvents(events)).toContain(gap);
    const { before, findings } = await killAndRepeat(work, gap, left);
    expect([before, findings]).toEqual([gap, []]);
  },
);
