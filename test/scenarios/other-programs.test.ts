import { describe, expect, test } from 'vitest';
import { openWorld, type World } from '../support/world.ts';

/** A record as the service shows it, by its path below the account. */
const stored = (world: World, path: string) => world.service('GET', path);

describe('the type of a callflow', () => {
  async function withType() {
    const world = await openWorld();
    const made = await world.telctl(
      'callflows create --set name=Night --set type=mainUserCallflow --set-json numbers=["0100"] -o json',
    );
    expect(made.code, made.stderr).toBe(0);
    return { world, id: String(JSON.parse(made.stdout).id) };
  }

  test('is kept by create, update and copy', async () => {
    const { world, id } = await withType();
    const shown = await world.telctl(`callflows get ${id} -o yaml`);
    expect(shown.stdout).toContain('type: mainUserCallflow');
    const run = await world.telctl(`callflows update ${id} -f night.yaml --yes`, {
      files: { 'night.yaml': shown.stdout },
    });
    expect([run.code, run.stderr]).toEqual([0, expect.not.stringContaining('lost')]);
    expect(await stored(world, `callflows/${id}`)).toMatchObject({ type: 'mainUserCallflow' });
    const copied = await world.telctl(`callflows copy ${id} --to-name Day --numbers 0101 -o json`);
    expect(JSON.parse(copied.stdout)).toMatchObject({ type: 'mainUserCallflow' });
  });

  test('is exported, applied and planned', async () => {
    const { world, id } = await withType();
    const exported = await world.telctl('export --only callflows');
    expect(exported.stdout).toContain('type: mainUserCallflow');
    const changed = exported.stdout.replace('mainUserCallflow', 'main');
    const applied = await world.telctl('apply -f all.yaml --yes', { files: { 'all.yaml': changed } });
    expect(applied.code, applied.stderr).toBe(0);
    expect(await stored(world, `callflows/${id}`)).toMatchObject({ type: 'main' });
    expect((await world.telctl('plan -f all.yaml --exit-code')).code).toBe(0);
  });
});
