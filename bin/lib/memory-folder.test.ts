/** The folder in memory for the data of tests. */
import { existsSync, mkdtempSync, rmSync, statfsSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { makeMemoryFolder, memoryFolderOf } from './memory-folder.mjs'

const TMPFS = 0x01021994
const hasMemoryFiles = existsSync('/dev/shm') && statfsSync('/dev/shm').type === TMPFS
const data = mkdtempSync(join(tmpdir(), 'memory-'))
const base = hasMemoryFiles ? mkdtempSync('/dev/shm/memory-test-') : ''
afterAll(() => {
  for (const folder of [data, base].filter(Boolean)) rmSync(folder, { recursive: true })
})

test.skipIf(!hasMemoryFiles)('each data folder has its own memory folder, which is empty at the next start', () => {
  const first = makeMemoryFolder(data, { base, least: 0 })
  expect(first).toBe(memoryFolderOf(data, base))
  writeFileSync(join(first ?? '', 'left'), 'x')
  expect(makeMemoryFolder(data, { base, least: 0 })).toBe(first)
  expect(existsSync(join(first ?? '', 'left'))).toBe(false)
  expect(makeMemoryFolder(join(data, 'other'), { base, least: 0 })).not.toBe(first)
})

test('without enough free memory, without tmpfs and without its folder, data is on the disk', () => {
  expect(makeMemoryFolder(data, { least: Number.MAX_SAFE_INTEGER })).toBeNull()
  expect(makeMemoryFolder(data, { base: '/proc/self', least: 0 })).toBeNull()
  expect(makeMemoryFolder(data, { base: join(data, 'missing'), least: 0 })).toBeNull()
})
