/** Tests of reading the hosts file. */

import { mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { createHostsFile, parseHosts } from './hosts-file.js'

const folder = mkdtempSync(join(tmpdir(), 'hosts-'))
afterAll(() => rmSync(folder, { recursive: true }))

test('names are read without case, with comments and several lines for one name', () => {
  const found = parseHosts(
    '# all\n127.77.0.1\tRemote.Example alias # why\n::1 remote.example\nnonsense x\n\n10.0.0.1\r\n',
  )
  expect(found.get('remote.example')).toEqual(['127.77.0.1', '::1'])
  expect(found.get('alias')).toEqual(['127.77.0.1'])
  expect(found.has('x')).toBe(false)
  expect(found.has('why')).toBe(false)
})

test('names of object prototypes are ordinary names', () => {
  expect(parseHosts('127.0.0.1 __proto__ constructor').get('__proto__')).toEqual(['127.0.0.1'])
})

test('a change of the file takes effect within a second', async () => {
  const path = join(folder, 'hosts')
  let now = 0
  const hosts = createHostsFile(() => now, path)
  expect(await hosts('a.example')).toBeUndefined()
  writeFileSync(path, '127.77.0.9 a.example')
  now = 1_001
  expect(await hosts('A.example')).toEqual(['127.77.0.9'])
  writeFileSync(path, '127.77.0.8 a.example')
  utimesSync(path, 1, 1)
  expect(await hosts('a.example')).toEqual(['127.77.0.9'])
  now = 2_002
  expect(await hosts('a.example')).toEqual(['127.77.0.8'])
})

test('a folder in place of the file counts as empty', async () => {
  expect(await createHostsFile(Date.now, folder)('a.example')).toBeUndefined()
})
