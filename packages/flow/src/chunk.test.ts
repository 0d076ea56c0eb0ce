/** Tests of splitting lists. */
import { expect, test } from 'vitest'
import { chunk, chunkBySize, loadInChunks } from './chunk.js'

test('chunks keep the order and have at most the given size', () => {
  expect([chunk([1, 2, 3, 4, 5], 2), chunk([1, 2], 2), chunk([], 2)]).toEqual([[[1, 2], [3, 4], [5]], [[1, 2]], []])
})

test('maps of chunks that are loaded at the same time are joined', async () => {
  const asked: string[][] = []
  const load = async (keys: string[]) => {
    asked.push(keys)
    return new Map(keys.map((key) => [key, key.length]))
  }
  expect([...(await loadInChunks(['a', 'bb', 'ccc'], 2, load))]).toEqual([
    ['a', 1],
    ['bb', 2],
    ['ccc', 3],
  ])
  expect(await loadInChunks([], 2, load)).toEqual(new Map())
  expect(asked).toEqual([['a', 'bb'], ['ccc']])
})

test('chunks by size are full before the next one starts, and a larger item is alone', () => {
  const limits = { max: 3, maxSize: 10, sizeOf: (text: string) => text.length }
  const texts = ['12345', '12345', '1', '123456789012', '1', '1', '1', '1']
  expect(chunkBySize(texts, limits).map((some) => some.length)).toEqual([2, 1, 1, 3, 1])
})
