import { execFileSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import { basename, join } from 'node:path';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { shellWords } from '../../../scripts/docs/command-lines.mts';
import { findParseProblem } from '../../../scripts/docs/parse.mts';
import { openWorld } from '../../support/world.ts';

const unitFile = 'integrations/systemd/telctl-reconcile.service';
const unit = readFileSync(unitFile, 'utf8');
const page = readFileSync('docs/rollouts.md', 'utf8');

const analyzer = '/usr/bin/systemd-analyze';

test('the systemd unit runs an existing command as an unprivileged user', async () => {
  const [, line = ''] = /^ExecStart=\S+\/telctl (.*)$/m.exec(unit) ?? [];
  expect(await findParseProblem({ words: shellWords(line), mentioned: false })).toBeUndefined();
  for (const setting of [
    'DynamicUser=yes',
    'ProtectSystem=strict',
    'NoNewPrivileges=yes',
    'CapabilityBoundingSet=',
  ])
    expect(unit).toMatch(new RegExp(`^${setting}$`, 'm'));
});

test.runIf(existsSync(analyzer))('systemd rates the exposure of the unit below 4', () => {
  const said = execFileSync(analyzer, ['security', '--offline=yes', '--no-pager', unitFile], {
    encoding: 'utf8',
  });
  const [, exposure] = /Overall exposure level for \S+: ([\d.]+)/.exec(said) ?? [];
  expect(Number(exposure)).toBeLessThan(4);
});

const folder = 'integrations/kubernetes';
const readYaml = (name: string) => parse(readFileSync(join(folder, name), 'utf8'));

/** Creates the files of a ConfigMap like the kubelet: links into a hidden folder, which it replaces at once. */
function mountConfigMap(files: readonly string[], at: string): void {
  const inner = '..2026_11_24_04_00_00.123456789';
  mkdirSync(join(at, inner), { recursive: true });
  symlinkSync(inner, join(at, '..data'));
  for (const file of files) {
    copyFileSync(join(folder, file), join(at, inner, basename(file)));
    symlinkSync(join('..data', basename(file)), join(at, basename(file)));
  }
}

test('the Deployment reads manifests as Kubernetes mounts them, without privileges', async () => {
  const { spec } = readYaml('deployment.yaml').spec.template;
  const [container] = spec.containers;
  expect(spec).toMatchObject({
    automountServiceAccountToken: false,
    securityContext: { runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } },
  });
  expect(container.securityContext).toEqual({
    ...{ allowPrivilegeEscalation: false, readOnlyRootFilesystem: true, capabilities: { drop: ['ALL'] } },
  });
  const maps = new Map<string, readonly string[]>(
    readYaml('kustomization.yaml').configMapGenerator.map(
      ({ name, files }: { name: string; files: string[] }) => [name, files],
    ),
  );
  const world = await openWorld();
  const { cwd } = world.folders;
  for (const { name, mountPath, subPath } of container.volumeMounts) {
    const { configMap } = spec.volumes.find((volume: { name: string }) => volume.name === name);
    const files = configMap && maps.get(configMap.name);
    if (files === undefined) continue;
    const at = join(cwd, mountPath.slice(container.workingDir.length + 1));
    if (subPath === undefined) mountConfigMap(files, at);
    else copyFileSync(join(folder, subPath), at);
  }
  for (const branch of ['branch-north', 'branch-south'])
    expect(
      (await world.telctl(['accounts', 'create', '--name', branch, '--realm', `${branch}.example`])).code,
    ).toBe(0);
  const args: readonly string[] = container.args;
  const line = [...args.slice(0, args.indexOf('--metrics')), '--rounds', '1', '--correct', '--yes'];
  const run = await world.telctl(line);
  expect(run.code, run.stderr).toBe(0);
  const settled = await world.telctl(['plan', '-f', 'base', '--accounts', 'branches.csv', '--exit-code']);
  expect(settled.code, settled.stdout + settled.stderr).toBe(0);
});

test('the page about rollouts links both examples', () => {
  for (const name of [unitFile, folder]) expect(page).toContain(name);
});
