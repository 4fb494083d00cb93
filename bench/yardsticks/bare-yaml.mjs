// A minimal script that reads a manifest: parses it with the yaml package.
import { readFileSync } from 'node:fs';
import { parse } from 'yaml';

const sections = parse(readFileSync(process.env.BENCH_FILE, 'utf8'));
console.log(Object.values(sections).length);
