/** Tests of the card cache and of splicing JSON text. */
import { type Json, toJson } from '@murmuration/contracts/kit'
import { expect, test } from 'vitest'
import { createCardCache } from './card-cache.js'
import { splice } from './splice.js'

test('members are appended to a card', () => {
  expect(
    JSON.parse(splice(toJson({ id: '1' }), { account: '{"id":"2"}', favourited: 'true', absent: undefined })),
  ).toEqual({ id: '1', account: { id: '2' }, favourited: true })
  expect(splice(toJson({}), { a: '1' })).toBe('{"a":1}')
})

test('concurrent reads share one request, and a forgotten id is loaded again', async () => {
  const asked: string[][] = []
  const cache = createCardCache<{ id: string }>({
    now: Date.now,
    load: async (ids) => {
      asked.push(ids)
      return new Map(ids.filter((id) => id !== '9').map((id) => [id, toJson({ id }) as Json<{ id: string }>]))
    },
  })
  const [a, b] = await Promise.all([cache.many(['1', '2', '9']), cache.many(['2', '3'])])
  expect([...a.keys()].sort()).toEqual(['1', '2'])
  expect([...b.keys()].sort()).toEqual(['2', '3'])
  expect(asked).toEqual([['1', '2', '9'], ['3']])
  cache.invalidate(['1'])
  await cache.many(['1', '2'])
  expect(asked.at(-1)).toEqual(['1'])
})
