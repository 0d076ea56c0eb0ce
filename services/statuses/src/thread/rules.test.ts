/** Order of a thread: tree order, with the author's own continuation first. */
import { expect, test } from 'vitest'
import { threadOrder } from './rules.js'

test('self-replies move to the front, and the others keep their order', () => {
  const one = (id: string, authorId: string, inReplyToAccountId: string | null) => ({
    id,
    authorId,
    inReplyToAccountId,
  })
  expect(
    threadOrder([one('2', 'bob', 'ann'), one('3', 'ann', 'ann'), one('4', 'cat', 'ann'), one('5', 'ann', 'ann')]),
  ).toEqual(['3', '5', '2', '4'])
  expect(threadOrder([])).toEqual([])
})
