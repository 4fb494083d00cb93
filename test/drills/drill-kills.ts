import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { dividing, type Kill, killBefore, wholeRun } from './kill-gaps.ts';
import { type KillWork, killWorks } from './kill-works.ts';

/** Most kills for one gap. Events that run at the same time may change places. */
const mostTries = 3;
const workers = 3;

interface Gap {
  readonly work: KillWork;
  readonly before: string;
  readonly kill: () => Promise<Kill>;
}

/**
 * Kills commands in every gap between two changes, until each gap was hit. Prints the gaps with what was before and
 * after the kill, a table of counts, and the findings. Returns true if there are no findings and every gap was hit.
 */
export async function drillKills(names: readonly string[], print: (line: string) => void): Promise<boolean> {
  const works = killWorks.filter(({ name }) => names.length === 0 || names.includes(name));
  // Compiled code is kept for all homes.
  const code = mkdtempSync(join(tmpdir(), 'telctl-drill-'));
  process.env.NODE_COMPILE_CACHE ??= code;
  const gaps: Gap[] = [];
  const counts = new Map(works.map(({ name }) => [name, { gaps: 0, hit: 0, kills: 0, findings: 0 }]));
  for (const work of works) {
    const { events, left } = await wholeRun(work);
    for (const before of dividing(events))
      gaps.push({ work, before, kill: () => killBefore(work, before, left) });
  }
  let next = 0;
  async function worker(): Promise<void> {
    for (let gap = gaps[next++]; gap !== undefined; gap = gaps[next++]) {
      const { work, before, kill } = gap;
      const count = counts.get(work.name) ?? { gaps: 0, hit: 0, kills: 0, findings: 0 };
      counts.set(work.name, count);
      count.gaps += 1;
      for (let tries = 1; tries <= mostTries; tries += 1) {
        const { before: hit, after, findings } = await kill();
        count.kills += 1;
        count.findings += findings.length > 0 ? 1 : 0;
        if (hit !== undefined) count.hit += 1;
        print(`${work.name}: after "${after ?? 'the start'}", before "${hit ?? 'the end'}"`);
        for (const finding of findings) print(`  WRONG: ${finding}`);
        if (hit !== undefined) break;
        if (tries === mostTries) print(`  NOT HIT: ${before}`);
      }
    }
  }
  await Promise.all(Array.from({ length: workers }, worker));
  rmSync(code, { recursive: true, force: true });
  for (const [name, { gaps: all, hit, kills, findings }] of counts)
    print(`${name}: ${hit} of ${all} gaps hit, ${kills} kills, ${findings} with findings`);
  return [...counts.values()].every(({ gaps: all, hit, findings }) => all === hit && findings === 0);
}
