/** Comparison of node_modules with the lock file. */
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { matchesLockfile } from './installed.mjs'

const one = { version: '1.0.0', integrity: 'sha512-a' }
const foreign = { version: '1.0.0', optional: true, os: ['aix'], cpu: ['ppc64'] }
const native = { version: '1.0.0', optional: true, os: [process.platform], cpu: [process.arch] }

function repository(wanted: object, present: object | null, folders = Object.keys(present ?? {})) {
  const root = mkdtempSync(join(tmpdir(), 'installed-'))
  for (const folder of ['node_modules', ...folders]) mkdirSync(join(root, folder), { recursive: true })
  writeFileSync(join(root, 'package-lock.json'), JSON.stringify({ packages: { '': {}, ...wanted } }))
  if (present) writeFileSync(join(root, 'node_modules/.package-lock.json'), JSON.stringify({ packages: present }))
  return root
}

test('the same packages match, also without packages for other machines', () => {
  const present = { 'node_modules/one': one }
  expect(matchesLockfile(repository({ 'node_modules/one': one }, present))).toBe(true)
  expect(matchesLockfile(repository({ 'node_modules/one': one, 'node_modules/far': foreign }, present))).toBe(true)
})

test('another version, a missing package, a missing native one, an emptied folder and no record do not match', () => {
  const wanted = { 'node_modules/one': one }
  const present = { 'node_modules/one': one }
  expect(matchesLockfile(repository(wanted, { 'node_modules/one': { ...one, version: '1.0.1' } }))).toBe(false)
  expect(matchesLockfile(repository(wanted, {}))).toBe(false)
  expect(matchesLockfile(repository({ ...wanted, 'node_modules/near': native }, present))).toBe(false)
  expect(matchesLockfile(repository(wanted, present, []))).toBe(false)
  expect(matchesLockfile(repository(wanted, null))).toBe(false)
})
