/**
 * Every rule that others can rely on and every hostile input has a test that names its number. Rows are `hostile N`, rules
 * `O1` (what we send), `I1` (what we read), `T1` (courses of events), and `interop S.N` for the habits of each software.
 */
import { readFileSync } from 'node:fs'
import { glob } from 'node:fs/promises'
import { join } from 'node:path'
import { repository } from '@murmuration/testkit'
import { beforeAll, describe, expect, test } from 'vitest'

const upTo = (max: number): number[] => Array.from({ length: max }, (_, i) => i + 1)

const hostile: string[] = []
const rules: string[] = []
const habits: string[] = []
/** Sections and how many rows each has: Mastodon, Misskey, Pleroma, GoToSocial, groups, PeerTube, others. */
const sections: [section: number, rows: number][] = [
  [3, 15],
  [4, 22],
  [5, 19],
  [6, 15],
  [7, 19],
  [8, 12],
  [9, 23],
]

/** Quoted text at the start of a test, or of a row of its table. */
const TITLE = /(?:\b(?:test|describe|it)\(\s*|\)\(\s*|\[\s*)(['`])((?:\\.|(?!\1).)*)\1/g

const numbersAfter = (title: string, word: string, number: string): string[] =>
  [...title.matchAll(new RegExp(`\\b${word} ((?:${number}[ ,:]+)*${number})(?![\\d.])`, 'g'))].flatMap(
    ([, found = '']) => found.split(/[ ,:]+/),
  )

beforeAll(async () => {
  const root = repository()
  const folders = [
    'services/*/{src,test}/**/*.test.ts',
    'packages/*/{src,test}/**/*.test.ts',
    'e2e/**/*.{test,inside}.ts',
  ]
  for await (const path of glob(folders, { cwd: root, exclude: (name) => String(name).includes('node_modules') })) {
    if (path.endsWith('rows.test.ts')) continue
    for (const [, , title = ''] of readFileSync(join(root, path), 'utf8').matchAll(TITLE)) {
      hostile.push(...numbersAfter(title, 'hostile', '\\d{1,3}'))
      habits.push(...numbersAfter(title, 'interop', '\\d\\.\\d{1,2}'))
      if (/federation|activitypub|gateway/.test(path)) rules.push(...(title.match(/\b[OIT]\d{1,2}\b/g) ?? []))
    }
  }
})

test('every row of hostile input', () => {
  const named = new Set(hostile.map(Number))
  expect(upTo(124).filter((row) => !named.has(row))).toEqual([])
})

describe('every rule', () => {
  test.each([
    ['O', 31],
    ['I', 22],
    ['T', 7],
  ])('%s', (letter, max) => {
    const named = new Set(rules)
    expect(
      upTo(max)
        .map((row) => `${letter}${row}`)
        .filter((row) => !named.has(row)),
    ).toEqual([])
  })
})

test.each(sections)('every habit in section %i', (section, rows) => {
  const named = new Set(habits)
  expect(
    upTo(rows)
      .map((row) => `${section}.${row}`)
      .filter((row) => !named.has(row)),
  ).toEqual([])
})
