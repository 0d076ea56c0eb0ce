/** Private files: mode, content, and what a failed write leaves. */
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { writePrivate } from './private-file.mjs'
import { secretsOf } from './secrets.mjs'

const freshFolder = () => mkdtempSync(join(tmpdir(), 'private-'))

test('a file is private, replaces an earlier one, and leaves no draft', () => {
  const dir = freshFolder()
  const file = join(dir, 'secrets.json')
  writeFileSync(`${file}.new`, 'half', { mode: 0o644 })
  writePrivate(file, 'first')
  writePrivate(file, 'second')
  expect(readFileSync(file, 'utf8')).toBe('second')
  expect(statSync(file).mode & 0o777).toBe(0o600)
  expect(readdirSync(dir)).toEqual(['secrets.json'])
})

test('a failed first write leaves no file, and the next start creates the secrets', () => {
  const dir = freshFolder()
  // A folder with the name of the file makes the rename fail, as a full disk makes the write fail.
  mkdirSync(join(dir, 'taken'))
  expect(() => writePrivate(join(dir, 'taken'), 'text')).toThrow()
  writeFileSync(join(dir, 'secrets.json.new'), '')
  expect(Object.keys(secretsOf(dir))).toHaveLength(3)
  expect(secretsOf(dir)).toEqual(secretsOf(dir))
})
