/** Folders of settings: created with their parents, and refused immediately where that fails. */
import { mkdirSync, mkdtempSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { blobOptionsOf } from './config.js'
import { checkWritable, makeFolder } from './folder.js'

const dir = mkdtempSync(join(tmpdir(), 'folder-test-'))
afterAll(() => rmSync(dir, { recursive: true }))

test('a folder is created with its parents, and may exist', () => {
  makeFolder(join(dir, 'a', 'b'), 0o700)
  makeFolder(join(dir, 'a', 'b'), 0o700)
  expect(statSync(join(dir, 'a', 'b')).mode & 0o777).toBe(0o700)
})

test.each(['/proc/x', '/proc/x/y', '/proc', '/proc/self/fd'])(
  'BLOB_DIR at %s, where no folder can be created, is refused immediately',
  (blobDir) => {
    const config = { blobDir, s3Enabled: false } as Parameters<typeof blobOptionsOf>[0]
    expect(() => blobOptionsOf(config)).toThrow('BLOB_DIR is no folder that can be written: ENOENT')
  },
)

test('a file in the place of a folder is refused', () => {
  writeFileSync(join(dir, 'file'), '')
  expect(() => makeFolder(join(dir, 'file', 'x'))).toThrow()
})

test('BLOB_DIR with an existing folder .incoming that cannot be written is refused', () => {
  mkdirSync(join(dir, 'blob'))
  // Root may write to folders of other users, but to no folder of /proc.
  symlinkSync('/proc', join(dir, 'blob', '.incoming'))
  const config = { blobDir: join(dir, 'blob'), s3Enabled: false } as Parameters<typeof blobOptionsOf>[0]
  expect(() => blobOptionsOf(config)).toThrow(/^BLOB_DIR is no folder that can be written: \w+/)
})

test.each(['/proc', '/proc/self/fd', '/dev/null'])('%s is no folder that can be written', (folder) => {
  expect(() => checkWritable('DIR', folder)).toThrow(/^DIR is no folder that can be written: \w+/)
})
