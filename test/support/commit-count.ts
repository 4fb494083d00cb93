import { spawnSync } from 'node:child_process';
import { root } from './process.ts';

/** How many commits there are, by which tests take turns from one to the next; 0 outside of a repository. */
export const commitCount =
  Number(spawnSync('git', ['rev-list', '--count', 'HEAD'], { cwd: root, encoding: 'utf8' }).stdout) || 0;
