// The least that a script has to do to read a manifest: the yaml package's own parse, and nothing done with it.
import { readFileSync } from 'node:fs';
import { parse } from 'yaml';

const sections = parse(readFileSync(process.env.BENCH_FILE, 'utf8'));
console.log(Object.values(sections).length);
