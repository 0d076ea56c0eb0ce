/** Cycles of imports that the check finds. */
import { expect, test } from 'vitest'
import { cycleProblems } from './cycles.js'

const file = (name: string, ...lines: string[]) => ({ path: `services/admin/src/${name}`, text: lines.join('\n') })

test('files that import one direction have no problems', () => {
  const files = [
    file('a.ts', "import { b } from './b.js'", "import { c } from './c.js'"),
    file('b.ts', "export { c } from './c.js'"),
    file('c.ts', "import { z } from 'zod'", "import { d } from './absent.js'"),
  ]
  expect(cycleProblems(files)).toEqual([])
})

test.each([
  ['two files', ["import { b } from './b.js'"], ["import { a } from './a.js'"], []],
  ['types only', ["import type { B } from './b.js'"], ["import type { A } from './a.js'"], []],
  ['a re-export', ["export * from './b.js'"], ["import './c.js'"], ["export { a } from './a.js'"]],
  [
    'imports of several lines',
    ["import {\n  b,\n} from './b.js'"],
    ["import { c } from './c.js'"],
    ["import './a.js'"],
  ],
])('the check finds a cycle of %s once', (_, a, b, c) => {
  const problems = cycleProblems([file('a.ts', ...a), file('b.ts', ...b), file('c.ts', ...c)])
  expect(problems).toHaveLength(1)
  expect(problems[0]).toMatch(
    /closes a cycle of imports: services\/admin\/src\/a\.ts → .* → services\/admin\/src\/a\.ts$/,
  )
})

test('a file that imports itself has a cycle', () => {
  expect(cycleProblems([file('a.ts', "import { a } from './a.js'")])).toHaveLength(1)
})
