import fs from 'node:fs';
import { dirname, join } from 'node:path';
import {
  runAttached,
  runForText,
  runTelctl,
  startDetached,
  startPager,
  startQuietly,
  startTelctl,
} from './programs.ts';
import { ignoreSignals, signalNumber } from './signals.ts';

/** Hides warnings of Node.js itself, such as about experimental modules. */
function muteWarnings(): void {
  process.removeAllListeners('warning');
}

/** Early releases of a Node.js line may lack the database. */
const hasDatabase = (): boolean => process.getBuiltinModule('node:module').isBuiltin('node:sqlite');

/** A process that ended but was not collected by its parent is not alive. */
function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return !isZombie(pid);
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}

/**
 * Returns the fields of a process in Linux's /proc, starting with its state. Returns `undefined` on other systems or
 * if it does not exist.
 */
function readProcessStat(pid: number): readonly string[] | undefined {
  if (process.platform !== 'linux') return undefined;
  try {
    const facts = fs.readFileSync(`/proc/${pid}/stat`, 'utf8');
    // Starts after the name, which can contain any characters.
    return facts.slice(facts.lastIndexOf(')') + 2).split(' ');
  } catch {
    return undefined;
  }
}

/** Returns true on Linux if a process has ended without being collected, as is common in containers. */
const isZombie = (pid: number): boolean => readProcessStat(pid)?.[0] === 'Z';

/** Identifies the machine since its start, and the container, which has separate process ids. */
function readBootId(): string | undefined {
  try {
    const boot = fs.readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
    return `${boot} ${fs.readlinkSync('/proc/self/ns/pid')}`.replaceAll(/[^0-9a-f]/g, '');
  } catch {
    return undefined;
  }
}

/** Position of the start time among the fields, counted from the state. */
const startTimeIndex = 19;

/**
 * A unique identity of a process on any machine: id, start and machine. `undefined` if the system does not provide it,
 * or if the process has ended.
 */
function identityOf(pid: number): string | undefined {
  if (pid !== process.pid) return readIdentity(pid);
  ownIdentity ??= readIdentity(pid);
  return ownIdentity;
}

/** Cached because each recorded change uses it. */
let ownIdentity: string | undefined;

function readIdentity(pid: number): string | undefined {
  const stat = readProcessStat(pid);
  const boot = readBootId();
  if (stat === undefined || stat[0] === 'Z' || boot === undefined) return undefined;
  return `${pid}.${stat[startTimeIndex] ?? ''}.${boot}`;
}

/** Returns true for the identity of an ended process of this machine. Processes of other machines are unknown. */
function hasEnded(identity: string): boolean {
  const [pid, , boot] = identity.split('.');
  return boot !== undefined && boot === readBootId() && identityOf(Number(pid)) !== identity;
}

function terminate(pid: number, signal: NodeJS.Signals = 'SIGTERM'): boolean {
  try {
    return process.kill(pid, signal);
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ESRCH') return false;
    throw error;
  }
}

/** Collects young objects sooner, which halves the memory of a stream of a million records at the same speed. */
function keepHeapSmall(): void {
  for (const flag of ['--semi-space-growth-factor=1', '--heap-growing-percent=10', '--optimize-for-size'])
    process.getBuiltinModule('node:v8').setFlagsFromString(flag);
}

export const processes = {
  pid: process.pid,
  machine: (): string => process.getBuiltinModule('node:os').hostname(),
  nodeVersion: process.versions.node,
  hasDatabase,
  manualPages,
  runAttached,
  ignoreSignals,
  startPager,
  startTelctl,
  runTelctl,
  runForText,
  /** Runs programs that a manifest requests. Some entry points disable it. */
  runForManifest: runForText,
  startQuietly,
  startDetached,
  isAlive,
  identityOf,
  hasEnded,
  terminate,
  signalNumber,
  muteWarnings,
  keepHeapSmall,
};

export type Processes = typeof processes;

/**
 * Returns the manual pages of telctl by file name. They are embedded in a single-file executable, or in files next to
 * the program. A checkout that was not built has none.
 */
function manualPages(): ReadonlyMap<string, string> {
  const sea = process.getBuiltinModule('node:sea');
  if (sea.isSea()) return new Map(sea.getAssetKeys().map((name) => [name, sea.getAsset(name, 'utf8')]));
  const folder = join(dirname(fs.realpathSync(process.argv[1] ?? '.')), '..', 'dist', 'man');
  if (!fs.existsSync(folder)) return new Map();
  return new Map(fs.readdirSync(folder).map((name) => [name, fs.readFileSync(join(folder, name), 'utf8')]));
}
