/** Columns of replies, and which replies public timelines contain. */
import { expect, test } from 'vitest'
import { isListed, replyTo } from './rules.js'

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
