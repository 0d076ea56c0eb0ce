/** The command that finds and installs tools of the tests. */
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { root } from '../lib/machine.mjs'

const tools = (hidden: string, ...words: string[]) => {
  const env = { ...process.env, HIDE_PROGRAMS: hidden }
  const { status, stdout, stderr } = spawnSync(process.execPath, [join(root, 'bin/tools.mjs'), ...words], {
    encoding: 'utf8',
    env,
  })
  return { status, stdout, stderr }
}

test('a missing tool is listed with its reason, and the command fails', () => {
  const { status, stdout } = tools('docker,docker-compose,chromium-headless-shell,chromium,google-chrome,ffmpeg,helm')
  expect(stdout.trim().split('\n')).toEqual([
    'Docker: missing (it is not installed)',
    'Docker Compose: missing (no Compose 2 or later is installed)',
    'Chromium: missing (it is not installed)',
    'ffmpeg: missing (it is not installed)',
    'Helm: missing (it is not installed)',
  ])
  expect(status).toBe(1)
})

test('an unknown tool is refused with the list of tools', () => {
  const { status, stderr } = tools('', 'podman')
  expect(stderr).toContain(
    'Usage: node bin/tools.mjs [--install] [docker] [compose] [chromium] [ffmpeg] [helm]; there is no podman.',
  )
  expect(status).toBe(2)
})
