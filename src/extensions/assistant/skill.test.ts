import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openWorld } from '../../../test/support/world.ts';

test('mcp install shows the skill file, writes it after confirmation, and keeps other files', async () => {
  const world = await openWorld();
  const path = join(world.folders.cwd, 'skills', 'telctl', 'SKILL.md');
  const shown = await world.telctl('mcp install skills --dry-run');
  expect(shown.stdout).toMatch(/^---\nname: telctl\ndescription: .+\n---\n\n# telctl\n/);
  expect(shown.stdout).toContain('- `users` (');
  expect((await world.telctl('mcp install skills')).code).toBe(2);
  expect(existsSync(path)).toBe(false);
  const wrote = await world.telctl('mcp install skills --yes');
  expect(wrote.code, wrote.stderr).toBe(0);
  expect(wrote.stderr).toContain('name: telctl');
  expect(readFileSync(path, 'utf8')).toBe(shown.stdout);
  expect((await world.telctl('mcp install skills --yes')).code).toBe(0);
  writeFileSync(path, '# Mine\n');
  expect(await world.telctl('mcp install skills --yes')).toMatchObject({ code: 9 });
  expect(readFileSync(path, 'utf8')).toBe('# Mine\n');
});
