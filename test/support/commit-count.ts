import { spawnSync } from 'node:child_process';
import { root } from './process.ts';

/** The number of commits, which selects rotating test cases. 0 outside a repository. */
export const commitCount =
  Number(spawnSync('git', ['rev-list', '--count', 'HEAD'], { cwd: root, encoding: 'utf8' }).stdout) || 0;
