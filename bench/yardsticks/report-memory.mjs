// Loaded before a program. Writes its maximum resident memory (in kilobytes) and processor time (in microseconds)
// when it ends.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';

const status = '/proc/self/status';

/** On Linux, maxRSS of a new process starts with the peak of its parent, so the high-water mark is read instead. */
function peak() {
  const own = existsSync(status) ? /^VmHWM:\s*(\d+) kB$/m.exec(readFileSync(status, 'utf8')) : null;
  return own?.[1] ?? String(process.resourceUsage().maxRSS);
}

process.on('exit', () => {
  const { user, system } = process.cpuUsage();
  writeFileSync(process.env.BENCH_REPORT, `${peak()} ${user + system}`);
});
