// Loaded into a process by --import. Writes the name of each loaded file of dist to LOADED_FILES. At exit, it also
// writes each slow module of Node.js that was loaded (as node:tls), and v8:flags if flags of V8 were changed, because
// that invalidates all compile caches.
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
