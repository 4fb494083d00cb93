// Loaded into a process by --import: writes the name of each file of dist that it loads to the file of LOADED_FILES, and
// at its end, as node:tls, each of the modules of Node.js that take long to load, and as v8:flags that flags of V8 were
// left changed, which makes all code useless that is kept from run to run.
import { appendFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { cachedDataVersionTag } from 'node:v8';

const note = (name) => appendFileSync(process.env.LOADED_FILES ?? '', `${name}\n`);

registerHooks({
  load(url, context, next) {
    const [, name] = /\/dist\/(.*)$/.exec(url) ?? [];
    if (name !== undefined) note(name);
    return next(url, context);
  },
});

const flagsBefore = cachedDataVersionTag();

process.on('exit', () => {
  if (cachedDataVersionTag() !== flagsBefore) note('v8:flags');
  for (const name of ['crypto', 'http2', 'net', 'tls'])
    if (process.moduleLoadList.includes(`NativeModule ${name}`)) note(`node:${name}`);
});
