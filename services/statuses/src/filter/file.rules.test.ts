/** Rules of imported filters: validation, duplicates and limits. */
import { expect, test } from 'vitest'
import { type Covering, planFilters, readFilter } from './file.rules.js'
import { FILTER_BOUNDS } from './rules.js'

const filter = { title: 'Spoilers', expires_at: null, context: ['home'], action: 'warn' }
const read = (more: object = {}) => readFilter(JSON.stringify({ ...filter, ...more }))
const problem = (more: object) => (read(more) as { problem?: string }).problem

test('filters in the form of other servers are parsed', () => {
  const file = {
    title: ' Spoilers ',
    expires_at: '2030-01-02 03:04:05 UTC',
    context: ['public', 'home'],
    action: 'blur',
    keywords_attributes: [{ keyword: ' finale ', whole_word: false }, { keyword: 'ep 9' }, {}],
    statuses: ['https://r.example/1', 'https://r.example/1'],
  }
  expect(read(file)).toEqual({
    title: 'Spoilers',
    expires_at: new Date('2030-01-02T03:04:05Z'),
    context: ['public', 'home'],
    action: 'blur',
    keywords: [
      { keyword: 'finale', whole_word: false },
      { keyword: 'ep 9', whole_word: true },
    ],
    uris: ['https://r.example/1'],
  })
  expect(read({ expires_at: '2030-01-02T03:04:05.678Z' })).toMatchObject({ expires_at: new Date(1_893_553_445_678) })
  expect(read({ action: null })).toMatchObject({ action: 'warn', keywords: [], uris: [] })
})

test.each(['2030-01-02T03:04:05', '2030-01-02 03:04:05', '2030-01-02 03:04:05 UTC', '2030-01-02 04:04:05 +0100'])(
  'a filter with the end %s ends at the same time on every machine',
  (expires_at) => {
    const { TZ } = process.env
    process.env.TZ = 'Asia/Kathmandu'
    expect(read({ expires_at })).toMatchObject({ expires_at: new Date('2030-01-02T03:04:05Z') })
    if (TZ === undefined) delete process.env.TZ
    else process.env.TZ = TZ
  },
)

test('an invalid filter is refused with the name of the field', () => {
  expect(problem({ title: '' })).toBe("Title can't be blank")
  expect(problem({ title: {} })).toBe('Title is invalid')
  expect(problem({ context: ['kitchen'] })).toBe('Context None or invalid context supplied')
  expect(problem({ action: 'shout' })).toBe('Action is not included in the list')
  expect(problem({ expires_at: 'soon' })).toBe('End is invalid')
  expect(problem({ expires_at: '9999-01-01T00:00:00Z' })).toBe('End is invalid')
  expect(problem({ keywords_attributes: [{ keyword: 'x'.repeat(513) }] })).toBe(
    'Keywords keyword is too long (maximum is 512 characters)',
  )
  expect(problem({ keywords_attributes: ['x'] })).toBe('Keywords is invalid')
  expect(problem({ statuses: [{}] })).toBe('Posts is invalid')
  expect(problem({ title: 'a\u0000' })).toBe('Title is invalid')
  for (const document of ['null', '7', '[]', '"x"'])
    expect(readFilter(document)).toEqual({ problem: 'Filter is invalid' })
})

const one = (title: string, more: Partial<Covering> = {}): Covering => ({
  title,
  context: ['home'],
  action: 'warn',
  expires_at: null,
  keywords: [],
  statuses: [],
  ...more,
})
const numbered = (...filters: Covering[]) => filters.map((each, i) => ({ n: i + 1, ...each }))
const kept = (id: string, filter: Covering, dead = 0) => ({ id, dead, ...filter })

test('an import keeps equal filters and adds new ones; overwriting also deletes those that the file lacks', () => {
  const words = [
    { keyword: 'a', whole_word: true },
    { keyword: 'b', whole_word: false },
  ]
  const here = [
    kept('1', one('same', { context: ['home', 'public'], keywords: words, statuses: ['7', '8'] })),
    kept('2', one('other')),
  ]
  const same = one('same', { context: ['public', 'home'], keywords: [...words].reverse(), statuses: ['8', '7'] })
  const file = numbered(same, one('new'), one('new'), one('other', { action: 'hide' }))
  const merged = planFilters(file, here, false)
  expect([merged.fresh.map((each) => each.n), merged.gone, [...merged.refused]]).toEqual([[2, 4], [], []])
  const overwritten = planFilters(file, here, true)
  expect([overwritten.fresh.map((each) => each.n), overwritten.gone]).toEqual([[2, 4], ['2']])
})

test('a file without any acceptable filter deletes nothing, even when overwriting', () => {
  const here = [kept('1', one('old'))]
  expect(planFilters([], here, true).gone).toEqual([])
  const heavy = one('heavy', { statuses: Array.from({ length: FILTER_BOUNDS.entries + 1 }, (_, i) => String(i)) })
  const plan = planFilters(numbered(heavy), here, true)
  expect([plan.fresh, plan.gone, [...plan.refused.keys()]]).toEqual([[], [], [1]])
})

test('filters of a file that exceed the limits are refused one by one, and the others are imported', () => {
  const long = 'x'.repeat(500)
  const heavy = (title: string, count: number) =>
    one(title, { keywords: Array.from({ length: count }, (_, i) => ({ keyword: `${long}${i}`, whole_word: true })) })
  const file = numbered(heavy('half', 50), heavy('too much', 60), one('light'))
  const plan = planFilters(file, [], false)
  expect(plan.fresh.map((each) => each.title)).toEqual(['half', 'light'])
  expect([...plan.refused]).toEqual([[2, 'You have reached the maximum number of filter keywords']])
  const full = Array.from({ length: FILTER_BOUNDS.filters }, (_, i) => kept(String(i), one(`f${i}`)))
  expect([...planFilters(numbered(one('f0'), one('new')), full, false).refused]).toEqual([
    [2, 'You have reached the maximum number of filters'],
  ])
  expect(planFilters(numbered(one('f0'), one('new')), full, true).fresh.map((each) => each.title)).toEqual(['new'])
  const dead = [kept('1', one('old'), FILTER_BOUNDS.entries)]
  expect(planFilters(numbered(one('new', { statuses: ['1'] })), dead, false).refused.size).toBe(1)
})
