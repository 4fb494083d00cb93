import { expect, test } from 'vitest';
import { seededRandom } from '../support/clock.ts';
import { isSignIn, openWorld } from '../support/world.ts';
import { openFailingFiles, stateFolder } from './failing-state.ts';

const branches = ['north', 'south'];
const files = {
  'branch.yaml': 'set: branch\nmenus:\n  day: { name: Day }\n  night: { name: Night }\n',
  'branches.txt': branches.join('\n'),
};

/** `DRILL_POSITIONS=all` injects a failure at every call. Otherwise `DRILL_SEED` selects some. */
const { DRILL_POSITIONS, DRILL_SEED = '1' } = process.env;
const random = seededRandom(Number(DRILL_SEED));
const chosen = 25;

test('a rollout reports what it did when the state disk fails at any file access', async () => {
  const run = async (at: number) => {
    const world = await openWorld();
    for (const name of branches) await world.service('PUT', '', { name, realm: `${name}.acme.example` });
    const state = openFailingFiles(stateFolder(world), at);
    const line =
      'rollout start -f branch.yaml --accounts branches.txt --waves 1,100% --max-change-percent 100';
    const ended = await world.telctl(`${line} --yes -o json`, { ...state.options, files });
    const sent = ended.requests.filter((each) => each.method !== 'GET' && !isSignIn(each)).length;
    return {
      ...ended,
      sent,
      calls: state.calls(),
      made: (await world.sandbox.store.allOfKind('menus')).length,
    };
  };
  const { calls } = await run(Number.POSITIVE_INFINITY);
  for (let at = 0; at < calls; at += 1) {
    if (DRILL_POSITIONS !== 'all' && random.fraction() > chosen / calls) continue;
    const { code, stdout, stderr, sent, made } = await run(at);
    const said = `call ${at} of ${calls}, ${made} made: ${stderr}`;
    if (sent === 0) expect([0, 8], said).not.toContain(code);
    else {
      expect([0, 8], said).toContain(code);
      expect(JSON.parse(stdout), said).toMatchObject({ rollout: '1', accounts: expect.any(Array) });
      if (code === 0) expect(made, said).toBe(4);
    }
  }
});
