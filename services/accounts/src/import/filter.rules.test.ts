/** Tests of reading filter files and of their preview. */
import { expect, test } from 'vitest'
import { readFilters, shownFilter } from './filter.rules.js'

const filter = {
  title: ' Spoilers ',
  expires_at: '2030-01-02 03:04:05 UTC',
  context: ['home', 'public'],
  action: 'hide',
  keywords_attributes: [{ keyword: 'finale', whole_word: true }, { keyword: 'ep 9' }],
  statuses: ['https://r.example/1'],
}
const file = (...filters: unknown[]) => JSON.stringify({ custom_filters: filters })

test('each entry is a row that contains it unchanged, also if it is no filter', () => {
  const rows = readFilters(file(filter, 'nonsense', { title: 7 }, null)) ?? []
  expect(rows.map((row) => row.cells[0])).toEqual(['Spoilers', '', '7', ''])
  expect(rows.map((row) => JSON.parse(row.cells[1] ?? ''))).toEqual([filter, 'nonsense', { title: 7 }, null])
  expect(rows.map((row) => shownFilter(row.cells))).toEqual([
    ['Spoilers', 'home, public', 'hide', '2030-01-02 03:04:05 UTC', 'finale, ep 9', 'https://r.example/1'],
    [''],
    ['7', '', '', '', '', ''],
    [''],
  ])
})

test('a file without filters is refused', () => {
  for (const text of ['', '{', '[]', '{"custom_filters":{}}', '#domain\nbad.example', file(filter).slice(0, -1)])
    expect(readFilters(text)).toBe(null)
  const deep = `{"custom_filters":[${'['.repeat(200_000)}${']'.repeat(200_000)}]}`
  expect(readFilters(deep)).toBe(null)
})

test('long and malformed texts are truncated and repaired', () => {
  const [row] = readFilters(file({ title: `a\u0000\ud800${'b'.repeat(300)}`, context: ['c'.repeat(300)] })) ?? []
  expect(row?.cells[0]).toBe(`a\ufffd${'b'.repeat(253)}…`)
  expect(row?.cells[1]).not.toContain('\u0000')
  expect(shownFilter(row?.cells ?? [])[1]).toBe(`${'c'.repeat(200)}…`)
})

test('a long number in a file keeps its digits', () => {
  const [row] = readFilters('{"custom_filters":[{"title":109876543210987654,"keywords_attributes":[]}]}') ?? []
  expect(row?.cells[0]).toBe('109876543210987654')
})
