/** The order of test files. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { longestFirst, SLOWEST_FILES } from './longest-first.js'
import { root } from './machine.mjs'

test('long files start first within their project, and the others keep their order', () => {
  const [longest = '', second = ''] = SLOWEST_FILES
  const files = ['a:/x/one', `a:/x/${second}`, 'a:/x/two', `a:/x/${longest}`, 'b:/x/three', `b:/x/${second}`]
  const sorted = longestFirst(files, { path: (file) => file, group: (file) => file[0] })
  const expected = [`a:/x/${longest}`, `a:/x/${second}`, 'a:/x/one', 'a:/x/two', `b:/x/${second}`, 'b:/x/three']
  expect(sorted).toEqual(expected)
})

test('every file in the list of long ones exists', () => {
  expect(SLOWEST_FILES.filter((path) => !existsSync(join(root, path)))).toEqual([])
})
