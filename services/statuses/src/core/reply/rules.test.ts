/** Columns of replies, which replies public timelines contain, and the order of threads. */
import { expect, test } from 'vitest'
import { isListed, replyTo, treeOrder, untilRepeated } from './rules.js'

const parent = { id: '10', authorId: '1', inReplyToAccountId: null, conversationId: '5' }

test('a reply is addressed to the author of its parent and joins the thread', () => {
  expect(replyTo(parent, '2')).toEqual({
    in_reply_to_id: '10',
    in_reply_to_author_id: '1',
    in_reply_to_account_id: '1',
    conversation_id: '5',
  })
})

test('a self-reply within a reply to another account is addressed to that account', () => {
  expect(replyTo({ ...parent, inReplyToAccountId: '3' }, '1').in_reply_to_account_id).toBe('3')
  expect(replyTo({ ...parent, inReplyToAccountId: '3' }, '2').in_reply_to_account_id).toBe('1')
  expect(replyTo(parent, '1').in_reply_to_account_id).toBe('1')
})

test('public timelines contain public originals and threads of one author', () => {
  const plain = { visibility: 'public', authorId: '1', isReblog: false, isReply: false, inReplyToAccountId: null }
  expect(isListed(plain)).toBe(true)
  expect(isListed({ ...plain, isReply: true, inReplyToAccountId: '1' })).toBe(true)
  expect(isListed({ ...plain, isReply: true, inReplyToAccountId: '2' })).toBe(false)
  expect(isListed({ ...plain, isReply: true })).toBe(false)
  expect(isListed({ ...plain, isReblog: true })).toBe(false)
  for (const visibility of ['unlisted', 'private', 'direct']) expect(isListed({ ...plain, visibility })).toBe(false)
})

test('a walk to the ancestors ends before the first repeated status', () => {
  expect(untilRepeated('4', ['3', '2', '1'])).toEqual(['3', '2', '1'])
  expect(untilRepeated('4', ['3', '2', '3', '2'])).toEqual(['3', '2'])
  expect(untilRepeated('4', ['3', '4', '3'])).toEqual(['3'])
  expect(untilRepeated('4', [])).toEqual([])
})

test('descendants are in tree order, also below hidden replies, and cycles are cut', () => {
  const edge = (parent: string, id: string, shown = true) => ({ parent, id, shown })
  const edges = [edge('1', '2'), edge('1', '3'), edge('2', '4', false), edge('4', '5'), edge('2', '6'), edge('3', '7')]
  expect(treeOrder('1', edges)).toEqual(['2', '5', '6', '3', '7'])
  expect(treeOrder('1', [...edges, edge('5', '2'), edge('7', '1'), edge('7', '7')])).toEqual(['2', '5', '6', '3', '7'])
  expect(treeOrder('1', [])).toEqual([])
})
