import { expect, test } from 'vitest';
import { dividing, killBefore, wholeRun } from './kill-gaps.ts';
import { killWorks } from './kill-works.ts';

/** A gap of each command in which a kill once cost something. `npm run drill -- kills` kills in all gaps. */
const gaps: Readonly<Record<string, string>> = {
  onboard: 'reply to PUT /vN/accounts/*/users #1',
  'accounts copy': 'write state log/N.ndjson #2',
  'key rotation': 'mkdir home/.config/telctl/config.json.lock #1',
};

test.each(Object.entries(gaps))(
  '%s that is killed before "%s" is repeated without loss or duplicates',
  async (name, gap) => {
    const work = killWorks.find((each) => each.name === name);
    if (!work) throw new Error(`There is no work ${name}.`);
    const { events, left } = await wholeRun(work);
    expect(dividing(events)).toContain(gap);
    const { before, findings } = await killBefore(work, gap, left);
    expect([before, findings]).toEqual([gap, []]);
  },
);
