// Loaded before a program to write down the largest resident memory (in kilobytes) that it came to, and the time that
// its processor spent on it (in microseconds).
import { existsSync, readFileSync, writeFileSync } from 'node:fs';

const status = '/proc/self/status';

/** Linux lets a new process start from the peak of the one that started it; its own is the high-water mark. */
function peak() {
  const own = existsSync(status) ? /^VmHWM:\s*(\d+) kB$/m.exec(readFileSync(status, 'utf8')) : null;
  return own?.[1] ?? String(process.resourceUsage().maxRSS);
}

process.on('exit', () => {
  const { user, system } = process.cpuUsage();
  writeFileSync(process.env.BENCH_REPORT, `${peak()} ${user + system}`);
});
