// Loaded before a program to write down the largest resident memory (in kilobytes) that it came to.
import { writeFileSync } from 'node:fs';

process.on('exit', () => writeFileSync(process.env.BENCH_REPORT, String(process.resourceUsage().maxRSS)));
