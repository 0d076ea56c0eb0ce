/** SQL of the search in statuses. */
import type { Reader, Sql } from '@murmuration/db'
import { expect, test } from 'vitest'
import { findIds } from './search.store.js'

test('a search is not prepared, because each number of terms has its own text', async () => {
  const asked: Sql[] = []
  const rows = (query: Sql) => {
    asked.push(query)
    return Promise.resolve([])
  }
  const search = (words: string[]) =>
    findIds({ rows } as unknown as Reader, {
      ...{ viewer: '1', scope: 'all', maxId: null, minId: null, limit: 20, offset: 0 },
      phrases: words.map((word) => ({ words: word, not: false })),
      ...{ marks: [], embeds: [], authors: [], spans: [] },
    })
  await search(['one'])
  await search(['one', 'two'])
  expect(new Set(asked.map((query) => query.text)).size).toBe(2)
  expect(asked.map((query) => query.isUnprepared)).toEqual([true, true])
})
