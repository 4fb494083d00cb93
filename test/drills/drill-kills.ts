import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Kill, killAndRepeat, runWithoutKill, selectGapEvents } from './kill-gaps.ts';
import { type KillScenario, killScenarios } from './kill-scenarios.ts';

/** Maximum number of kills for one gap. Concurrent events may change their order. */
const maxTries = 3;
const workerCount = 3;

interface Gap {
  readonly work: KillScenario;
  readonly before: string;
  readonly kill: () => Promise<Kill>;
}

/**
 * Kills commands in every gap between two changes, until each gap was hit. Prints the gaps with what was before and
 * after the kill, a table of counts, and the findings. Returns true if there are no findings and every gap was hit.
 */
export async function drillKills(names: readonly string[], print: (line: string) => void): Promise<boolean> {
  const works = killScenarios.filter(({ name }) => names.length === 0 || names.includes(name));
  // All home folders share a compile cache.
  const code = mkdtempSync(join(tmpdir(), 'telctl-drill-'));
  process.env.NODE_COMPILE_CACHE ??= code;
  const gaps: Gap[] = [];
  const counts = new Map(works.map(({ name }) => [name, { gaps: 0, hit: 0, kills: 0, findings: 0 }]));
  for (const work of works) {
    const { events, left } = await runWithoutKill(work);
    for (const before of selectGapEvents(events))
      gaps.push({ work, before, kill: () => killAndRepeat(work, before, left) });
  }
  let next = 0;
  async function worker(): Promise<void> {
    for (let gap = gaps[next++]; gap !== undefined; gap = gaps[next++]) {
      const { work, before, kill } = gap;
      const count = counts.get(work.name) ?? { gaps: 0, hit: 0, kills: 0, findings: 0 };
      counts.set(work.name, count);
      count.gaps += 1;
      for (let tries = 1; tries <= maxTries; tries += 1) {
        const { before: hit, after, findings } = await kill();
        count.kills += 1;
        count.findings += findings.length > 0 ? 1 : 0;
        if (hit !== undefined) count.hit += 1;
        print(`${work.name}: after "${after ?? 'the start'}", before "${hit ?? 'the end'}"`);
        for (const finding of findings) print(`  WRONG: ${finding}`);
        if (hit !== undefined) break;
        if (tries === maxTries) print(`  NOT HIT: ${before}`);
      }
    }
  }
  await Promise.all(Array.from({ length: workerCount }, worker));
  rmSync(code, { recursive: true, force: true });
  for (const [name, { gaps: all, hit, kills, findings }] of counts)
    print(`${name}: ${hit} of ${all} gaps hit, ${kills} kills, ${findings} with findings`);
  return [...counts.values()].every(({ gaps: all, hit, findings }) => all === hit && findings === 0);
}
