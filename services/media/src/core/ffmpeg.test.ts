/** Tests of when ffmpeg is looked up: at most once a minute, also after it was absent. */
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createFfmpeg } from './ffmpeg.js'

let dir = ''
beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'ffmpeg-look-'))
})
afterAll(() => rm(dir, { recursive: true }))

let now = 0
const looks: boolean[] = []
const made = (enabled = true) =>
  createFfmpeg({
    enabled,
    ffmpeg: 'ffmpeg',
    ffprobe: 'ffprobe',
    timeoutMs: 1_000,
    memoryBytes: 1,
    env: { PATH: `/nowhere:${dir}` },
    now: () => now,
    onLook: (found) => looks.push(found),
  })
const install = async (...names: string[]) => {
  for (const name of names) {
    await writeFile(join(dir, name), '#!/bin/sh\n')
    await chmod(join(dir, name), 0o755)
  }
}

test('an installed or removed ffmpeg is noticed within a minute', async () => {
  const ffmpeg = made()
  expect(await ffmpeg.available()).toBe(false)
  await install('ffmpeg')
  now += 61_000
  expect(await ffmpeg.available()).toBe(false)
  await install('ffprobe')
  now += 59_000
  expect(await ffmpeg.available()).toBe(false)
  now += 2_000
  const answers = await Promise.all(Array.from({ length: 100 }, () => ffmpeg.available()))
  expect(new Set(answers)).toEqual(new Set([true]))
  await rm(join(dir, 'ffprobe'))
  expect(await ffmpeg.available()).toBe(true)
  now += 61_000
  expect(await ffmpeg.available()).toBe(false)
  // Called after the first look-up, and after each change.
  expect(looks).toEqual([false, true, false])
})

test('a disabled ffmpeg is not looked up', async () => {
  await install('ffmpeg', 'ffprobe')
  looks.length = 0
  const ffmpeg = made(false)
  expect([await ffmpeg.available(), await ffmpeg.available(), looks]).toEqual([false, false, [false]])
})
