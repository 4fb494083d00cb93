import { expect, test } from 'vitest';
import { openWorld } from '../../../../test/support/world.ts';
import { typeOfContent } from '../../../contract/resources/media.ts';

test('uploads and downloads a media file, and keeps its content out of the log', async () => {
  const world = await openWorld();
  const files = { 'closed.mp3': 'ID3 we are closed', 'notes.txt': 'no sound', 'empty.mp3': '' };
  const run = (line: string) => world.telctl(line, { files });
  expect((await run('media create --name Closed')).code).toBe(0);
  expect(await run('media upload Closed notes.txt')).toMatchObject({ code: 10 });
  expect(await run('media upload Closed empty.mp3')).toMatchObject({ code: 10 });
  const dry = await run('media upload Closed closed.mp3 --dry-run -o json');
  expect(JSON.parse(dry.stdout).requests[0].body).toBe('binary, 17 bytes');
  const sent = await run('media upload Closed closed.mp3');
  expect(sent.stderr).toContain('Uploaded closed.mp3 to medium Closed: audio/mpeg, 17 bytes.');
  const { stdout } = await run('media get Closed -o json');
  expect(JSON.parse(stdout)).toMatchObject({ content_type: 'audio/mpeg', content_length: 17 });
  expect((await run('media download Closed -')).stdout).toBe('ID3 we are closed');
  expect(await run('media download Closed closed.mp3')).toMatchObject({ code: 9 });
  expect((await run('media download Closed closed.mp3 --force')).code).toBe(0);
  const terminal = await world.telctl('media download Closed -', { tty: true });
  expect(terminal).toMatchObject({ code: 2 });
  const log = await run('log list -o json');
  expect(log.stdout).not.toContain('we are closed');
});

test('patches text-to-speech media, and lists prompts by id and language', async () => {
  const world = await openWorld();
  const made = await world.telctl('media create --name Hello --media-source tts --set tts.text=Hello');
  expect(made.code, made.stderr).toBe(0);
  const changed = await world.telctl('media patch Hello --description greeting');
  expect(changed.code, changed.stderr).toBe(0);
  const { stdout } = await world.telctl('media get Hello -o json');
  expect(JSON.parse(stdout)).toMatchObject({ description: 'greeting', tts: { text: 'Hello' } });
  expect((await world.telctl('media download Hello -')).stdout).toMatch(/^RIFF/);
  await world.telctl('media create --name Pass --prompt-id vm-enter_pass --language de-DE');
  expect((await world.telctl('media list -o name')).stdout).toContain('Pass');
  const prompt = await world.telctl('media prompts vm-enter_pass -o json');
  expect(JSON.parse(prompt.stdout)).toEqual([{ id: 'de-de/vm-enter_pass', has_attachments: false }]);
  const prompts = await world.telctl('media prompts -o json');
  expect(JSON.parse(prompts.stdout)).toEqual([{ prompt: 'vm-enter_pass', count: 1 }]);
  const languages = await world.telctl('media languages -o json');
  expect(JSON.parse(languages.stdout)).toEqual([
    { language: 'de-de', count: 1 },
    { language: 'en-us', count: 1 },
  ]);
  expect((await world.telctl('media languages de-de -o json')).stdout).toContain('de-de/vm-enter_pass');
  const replaced = await world.telctl('media patch de-de/vm-enter_pass --prompt-id other');
  expect(replaced.code).toBe(10);
  expect((await world.telctl('media delete Hello --yes')).code).toBe(0);
});

test('ignores stream URLs as references, and refuses to delete a medium in use', async () => {
  const world = await openWorld();
  await world.telctl('media create --name Greeting');
  const { stdout } = await world.telctl('media get Greeting -o json');
  const { id } = JSON.parse(stdout);
  const stdin = `name: Main\nmedia: { greeting: ${id}, exit_media: "silence_stream://300" }`;
  expect((await world.telctl('menus create -f -', { stdin })).code).toBe(0);
  const orphans = await world.telctl('orphans');
  expect(orphans.stdout).not.toContain('silence_stream');
  const used = await world.telctl('media delete Greeting --yes');
  expect(used.stderr).toContain('Main');
  expect(used.code).toBe(9);
});

test('detects the type from the first bytes of a file, and requires a matching extension', () => {
  const at = (text: string, path: string) => typeOfContent(Buffer.from(text, 'latin1'), path);
  expect(at('ID3', 'a.mp3')).toBe('audio/mpeg');
  expect(at('\xff\xfb\x90', 'a')).toBe('audio/mpeg');
  expect(at('RIFF....WAVEfmt ', 'a.wav')).toBe('audio/x-wav');
  expect(at('RIFF....WAVEfmt ', 'a.mp3')).toBeUndefined();
  expect(at('\x00\x00\x00\x18ftypmp42', 'a.mp4')).toBe('video/mp4');
  expect(at('#!/bin/sh', 'a.mp3')).toBeUndefined();
});
