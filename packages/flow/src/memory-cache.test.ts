/** Tests of the bounded cache. */
import { expect, test } from 'vitest'
import { createMemoryCache, type MemoryCache } from './memory-cache.js'

test('hostile 19 the least recently used entries are removed first, so that unknown names cannot fill it', () => {
  const cache = createMemoryCache<number>({ max: 3, ttlMs: 1_000, now: () => 0 })
  for (let n = 0; n < 100_000; n++) {
    cache.set(`key ${n}`, n)
    cache.get('key 0')
  }
  expect(cache.size).toBe(3)
  expect([cache.get('key 0'), cache.get('key 99999'), cache.get('key 500')]).toEqual([0, 99_999, undefined])
})

test('entries expire by the given clock, after a time that may differ', () => {
  let now = 0
  const cache = createMemoryCache<string>({ max: 10, ttlMs: 1_000, now: () => now })
  cache.set('usual', 'a')
  cache.set('short', 'b', 10)
  cache.set('never', 'c', 0)
  expect(cache.get('never')).toBe(undefined)
  now = 10
  expect([cache.get('usual'), cache.get('short')]).toEqual(['a', undefined])
  now = 999
  expect(cache.get('usual')).toBe('a')
  now = 1_000
  expect(cache.get('usual')).toBe(undefined)
})

test('entries are removed by key or all at once, and null is a value', () => {
  const cache = createMemoryCache<number | null>({ max: 10 })
  for (const n of [1, 2, 3, null]) cache.set(String(n), n)
  cache.invalidate(['2', '4'])
  expect(['1', '2', '3', 'null'].map((key) => cache.get(key))).toEqual([1, undefined, 3, null])
  cache.invalidate(null)
  expect(cache.size).toBe(0)
})

test('entries are removed by the id of their values', () => {
  const cache = createMemoryCache<string | null>({ max: 4, idOf: (id) => id })
  for (const [key, id] of Object.entries({ a: 'one', b: 'two', c: 'one', d: null, a2: 'two' })) cache.set(key, id)
  cache.set('b', 'three')
  cache.invalidate(['one', 'two'])
  expect(['a', 'b', 'c', 'd', 'a2'].map((key) => cache.get(key))).toEqual([
    undefined,
    'three',
    undefined,
    null,
    undefined,
  ])
  cache.invalidate(['three'])
  expect(cache.size).toBe(1)
})

test('the sum of sizes is bounded', () => {
  const cache = createMemoryCache<string>({ max: 10, sizeOf: (text) => text.length })
  for (const [key, text] of Object.entries({ a: '12345', b: '1234', c: '', d: '123', e: '12345678901' }))
    cache.set(key, text)
  expect(['a', 'b', 'c', 'd', 'e'].map((key) => cache.get(key))).toEqual([undefined, '1234', '', '123', undefined])
})

test('concurrent calls share one load, and a failed one is not stored', async () => {
  const cache = createMemoryCache<number>({ max: 10, ttlMs: 1_000, now: () => 0 })
  let calls = 0
  const read = async () => {
    if (++calls === 1) throw new Error('it is away')
    return calls
  }
  const failed = await Promise.allSettled([cache.load('a', read), cache.load('a', read)])
  expect(failed.map((one) => one.status)).toEqual(['rejected', 'rejected'])
  expect(await Promise.all([cache.load('a', read), cache.load('a', read)])).toEqual([2, 2])
  expect([cache.load('a', read), cache.loading]).toEqual([2, 0])
})

test('a load is stored for the time of its value', async () => {
  let now = 0
  const cache = createMemoryCache<number>({ max: 10, ttlMs: 1_000, now: () => now })
  const load = (key: string, value: number) =>
    cache.load(
      key,
      async () => value,
      (ms) => ms,
    )
  await Promise.all([load('a', 10), load('b', 0), load('c', 2_000)])
  now = 11
  expect(['a', 'b', 'c'].map((key) => cache.get(key))).toEqual([undefined, undefined, 2_000])
})

test.each<[string, (cache: MemoryCache<string>) => void, string | undefined]>([
  ['was removed', (cache) => cache.delete('a'), undefined],
  ['was invalidated with all others', (cache) => cache.invalidate(null), undefined],
  ['may have an id that was invalidated', (cache) => cache.invalidate(['another']), undefined],
  ['was replaced', (cache) => cache.set('a', 'newer'), 'newer'],
])('a load whose entry %s meanwhile reaches its callers and is not stored', async (_, change, kept) => {
  const cache = createMemoryCache<string>({ max: 10, idOf: (value) => value })
  const answer = Promise.withResolvers<string>()
  const loads = [cache.load('a', () => answer.promise), cache.many(['a'], async () => new Map())]
  change(cache)
  answer.resolve('older')
  expect(await Promise.all(loads)).toEqual(['older', new Map([['a', 'older']])])
  expect(cache.get('a')).toBe(kept)
})

test('absent keys are read at once, and those in flight are not read again', async () => {
  const cache = createMemoryCache<string>({ max: 10 })
  cache.set('a', 'A')
  const asked: string[][] = []
  const read = async (keys: string[]) => {
    asked.push(keys)
    return new Map(keys.filter((key) => key !== 'x').map((key) => [key, key.toUpperCase()]))
  }
  const [one, two] = await Promise.all([cache.many(['a', 'b', 'x', 'b'], read), cache.many(['b', 'c'], read)])
  expect([Object.fromEntries(one), Object.fromEntries(two)]).toEqual([
    { a: 'A', b: 'B' },
    { b: 'B', c: 'C' },
  ])
  expect(asked).toEqual([['b', 'x'], ['c']])
  expect(await cache.many(['a', 'b', 'c'], () => Promise.reject(new Error('all are known')))).toHaveProperty('size', 3)
})
