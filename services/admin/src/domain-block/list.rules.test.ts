/** Lists of blocks in the format that servers exchange. */
import { expect, test } from 'vitest'
import { COLUMNS, isListed, readRows, rowOf } from './list.rules.js'

const row = {
  domain: 'loud.example',
  severity: 'silence',
  reject_media: true,
  reject_reports: false,
  public_comment: 'adult media, unmarked',
  obfuscate: true,
}

test('moderation 5: an exported block is imported unchanged', () => {
  const values = rowOf({ ...row, severity: 'silence', created_at: new Date() })
  expect(values).toEqual(['loud.example', 'silence', 'true', 'false', 'adult media, unmarked', 'true'])
  expect(readRows(COLUMNS, [values])).toEqual([row])
})

test('moderation 5: blocks without severity that reject no media are not exported', () => {
  expect(isListed({ severity: 'noop', reject_media: false })).toBe(false)
  expect(isListed({ severity: 'noop', reject_media: true })).toBe(true)
  expect(isListed({ severity: 'silence', reject_media: false })).toBe(true)
})

test('moderation 5: columns in any order, values trimmed, missing severity suspends, missing flags are false', () => {
  expect(readRows(['#domain', 'x', '#obfuscate'], [[' Spam.example ', 'y', 'T'], [''], ['b.example']])).toEqual([
    { ...row, domain: 'spam.example', severity: 'suspend', reject_media: false, public_comment: null },
    { ...row, domain: 'b.example', severity: 'suspend', reject_media: false, public_comment: null, obfuscate: false },
  ])
})

test.each(['0', 'f', 'false', 'OFF', '', 'no', 'FALSCH', 'FAUX', 'FALSO', 'NEIN'])(
  'moderation 5: %j is false',
  (value) => {
    expect(readRows(['#domain', '#reject_media'], [['a.example', value]])[0]?.reject_media).toBe(false)
  },
)

test.each(['1', 'true', 'WAHR', 'perhaps', 'x', 'enabled', '2', 'igaz'])(
  'moderation 5: %j is true, also if the word is unknown',
  (value) => {
    const [block] = readRows(
      ['#domain', '#reject_media', '#reject_reports', '#obfuscate'],
      [['a.example', value, value, value]],
    )
    expect(block).toMatchObject({ reject_media: true, reject_reports: true, obfuscate: true })
  },
)

test.each([[null], [['domain', 'severity']]])(
  'moderation 5: a list without #domain as first column has domains only',
  (columns) => {
    expect(readRows(columns, [['a.example', 'silence']])).toMatchObject([{ domain: 'a.example', severity: 'suspend' }])
  },
)
