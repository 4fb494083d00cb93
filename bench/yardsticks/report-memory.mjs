// Loaded before a program to write down the largest resident memory (in kilobytes) that it came to.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';

const status = '/proc/self/status';

/** Linux lets a new process start from the peak of the one that started it; its own is the high-water mark. */
function peak() {
  const own = existsSync(status) ? /^VmHWM:\s*(\d+) kB$/m.exec(readFileSync(status, 'utf8')) : null;
  return own?.[1] ?? String(process.resourceUsage().maxRSS);
}

process.on('exit', () => writeFileSync(process.env.BENCH_REPORT, peak()));
