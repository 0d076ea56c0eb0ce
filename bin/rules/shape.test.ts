/** Problems of the shape of files that the check finds, and files that it accepts. */
import { expect, test } from 'vitest'
import { shapeProblems } from './shape.js'

const problemsOf = (path: string, ...lines: string[]) =>
  shapeProblems([{ path, text: `/** A file. */\n${lines.join('\n')}\n` }])
const long = Array.from({ length: 500 }, (_, i) => `const a${i} = ${i}`)

test('a source file has at most 400 lines, and a test file may have more', () => {
  expect(problemsOf('services/admin/src/tag/rules.ts', ...long).join('\n')).toMatch(/has 501 lines/)
  expect(problemsOf('services/admin/src/tag/rules.test.ts', ...long)).toEqual([])
  expect(problemsOf('services/admin/test/tag.test.ts', ...long)).toEqual([])
})

test.each([
  ['a function', 'export const load = (id: string) => id'],
  ['an asynchronous function', 'export const load = async (id: string) => id'],
  ['a generic function', 'export const load = <T>(value: T) => value'],
  ['a function with a type', 'export const load: Load = (id) => id'],
  ['a function declaration', 'export async function load(id: string) {}'],
])('the check refuses %s of a package without a comment', (_, line) => {
  const problems = ['packages/bus/src/wire.ts: load has no comment: say what it returns, with units and errors']
  expect(problemsOf('packages/bus/src/wire.ts', 'const a = 1', line)).toEqual(problems)
  expect(problemsOf('packages/bus/src/wire.ts', '/** Loads a row. */', line)).toEqual([])
  expect(problemsOf('packages/bus/src/wire.ts', '/**', ' * Loads a row.', ' */', line)).toEqual([])
  expect(problemsOf('services/admin/src/tag/store.ts', line)).toEqual([])
  expect(problemsOf('packages/bus/test/wire.ts', line)).toEqual([])
})

test('overloads of a function need one comment', () => {
  const lines = [
    '/** Loads a row. */',
    'export function load(id: string): void',
    'export function load(id: number): void',
  ]
  expect(problemsOf('packages/bus/src/wire.ts', ...lines)).toEqual([])
})
