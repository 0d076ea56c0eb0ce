/** Tests of the settings of media that are checked before anything connects. */
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readCommonConfig } from '@murmuration/kernel'
import { afterAll, expect, test } from 'vitest'
import { app } from './main.js'

const dir = mkdtempSync(join(tmpdir(), 'media-config-'))
afterAll(() => rmSync(dir, { recursive: true }))

const check = (env: NodeJS.ProcessEnv) =>
  app.checkSettings?.(env, readCommonConfig({ SECRET_KEY_BASE: 'x'.repeat(32) }), {
    has: () => true,
    grant: (_need, open) => open(),
  })

test.each(['/proc', '/proc/self/fd'])('MEDIA_TEMP_DIR at %s, where no file can be created, is refused', (folder) => {
  expect(() => check({ MEDIA_TEMP_DIR: folder, BLOB_DIR: join(dir, 'blob') })).toThrow(
    'MEDIA_TEMP_DIR is no folder that can be written: ',
  )
})

test('folders that can be written are accepted, and nothing is left in them', () => {
  check({ MEDIA_TEMP_DIR: dir, BLOB_DIR: join(dir, 'blob') })
  expect(readdirSync(dir)).toEqual(['blob'])
  expect(readdirSync(join(dir, 'blob'), { recursive: true })).toEqual(['.incoming'])
})
