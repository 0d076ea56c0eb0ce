/**
 * Every row of the lists of published flaws (A), faults (F) and hardening (D) has a test with its number.
 * A row without a test is listed here with the reason.
 */
import { readFileSync } from 'node:fs'
import { glob } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { root } from './files.js'

const without: Record<string, string> = {
  A085: 'no sign-in asks a directory (LDAP)',
  D049: 'the actions of staff over HTTP are in work; their tests come with them',
  D094: 'core dumps are off in the image; under the permission model no suite runs, because loading sources takes threads and children, and the built accounts needs an addon, gateway and media write files',
  F043: 'every read goes to the server that writes; there are no replicas to lag',
  F081: 'there is no older release to run beside this one; the first one brings its images along',
}

const named = new Set<string>()
beforeAll(async () => {
  const folders = [
    'services/*/{src,test}/**/*.test.ts',
    'packages/*/{src,test}/**/*.test.ts',
    'e2e/**/*.{test,inside}.ts',
    'bin/**/*.test.ts',
  ]
  for await (const path of glob(folders, { cwd: root, exclude: (name) => String(name).includes('node_modules') })) {
    if (path.endsWith('rules/rows.test.ts')) continue
    for (const [row] of readFileSync(join(root, path), 'utf8').matchAll(/\b[AFD]\d{3}\b/g)) named.add(row)
  }
})

test.each([
  ['A', 211],
  ['F', 87],
  ['D', 94],
])('every row of %s is tested, or it is said why not', (letter, max) => {
  const rows = Array.from({ length: max }, (_, i) => `${letter}${String(i + 1).padStart(3, '0')}`)
  expect(rows.filter((row) => !named.has(row) && !(row in without))).toEqual([])
})

test('no tested row has a reason for a missing test', () => {
  expect(Object.keys(without).filter((row) => named.has(row))).toEqual([])
})
