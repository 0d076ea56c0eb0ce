/** Lists of domains in the forms of other programs. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { importDomainBlocks } from '@murmuration/contracts/admin'
import { afterAll, expect, test } from 'vitest'
import { readList } from '../control/domain-list.js'

const folder = mkdtempSync(join(tmpdir(), 'lists-'))
afterAll(() => rmSync(folder, { recursive: true }))

const read = (text: string | Buffer) => {
  const path = join(folder, 'list.csv')
  writeFileSync(path, text)
  return readList(path)
}

test('moderation 5: a byte order mark, Windows line ends and blank lines are ignored', () => {
  expect(read('\ufeff#domain,#severity\r\n\r\nevil.example,suspend\r\n')).toEqual({
    columns: ['#domain', '#severity'],
    rows: [['evil.example', 'suspend']],
  })
  expect(read('evil.example\n\nFOO.example:443\n')).toEqual({
    columns: null,
    rows: [['evil.example'], ['FOO.example:443']],
  })
  expect(read('')).toEqual({ columns: null, rows: [] })
})

test('moderation 5: a list with too many rows, or with an unclosed quote, is refused as a whole', () => {
  expect(() => read('a.example\n'.repeat(20_001))).toThrow('20001 rows')
  expect(read('a.example\n'.repeat(20_000)).rows).toHaveLength(20_000)
  expect(() => read('#domain\n"a.example\nb.example\n')).toThrow(/Quote/)
})

test('moderation 5: a row of any size is accepted and validated separately', () => {
  const { columns, rows } = read(
    `#domain,#public_comment\na.example,${'x'.repeat(1_000_000)}\nb.example${',y'.repeat(999)}\n`,
  )
  const { success } = importDomainBlocks.input.safeParse({ columns, rows, source: 'list.csv', dry_run: true })
  expect([success, rows.map(([domain]) => domain)]).toEqual([true, ['a.example', 'b.example']])
})
