/** Operations and jobs about conversations of direct statuses. */
import { z } from 'zod'
import { Conversation } from '../entities/index.js'
import { del, get, id, internal, job, linesOf, operation, page, pageOf, post, user } from '../kit/index.js'

const one = z.object({ id: id() })

export const listConversations = operation('statuses.conversation.list', {
  http: get('/api/v1/conversations'),
  viewer: user('read|read:statuses'),
  large: true,
  input: page(),
  output: pageOf(Conversation, 'list'),
  about: 'Conversations of the viewer, latest status first.',
})
export const removeConversation = operation('statuses.conversation.remove', {
  http: del('/api/v1/conversations/:id'),
  viewer: user('write|write:conversations'),
  input: one,
  output: z.object({}),
  errors: ['not_found'],
  about: 'Hides a conversation until it gets a new status.',
})
export const readConversation = operation('statuses.conversation.read', {
  http: post('/api/v1/conversations/:id/read'),
  viewer: user('write|write:conversations'),
  input: one,
  output: Conversation,
  errors: ['not_found'],
  about: 'Marks a conversation as read.',
})
export const unreadConversation = operation('statuses.conversation.unread', {
  http: post('/api/v1/conversations/:id/unread'),
  viewer: user('write|write:conversations'),
  input: one,
  output: Conversation,
  errors: ['not_found'],
  about: 'Marks a conversation as unread.',
})
export const conversationCards = operation('statuses.conversation.by-ids', {
  viewer: internal(),
  large: true,
  input: z.object({
    viewer: z.string(),
    ids: z.array(z.string()).max(200),
    /** Grant: signed proof that the viewer has an open stream. */
    grant: z.string().max(64).optional(),
  }),
  output: linesOf(Conversation),
  errors: ['forbidden'],
  about: 'Conversation JSON by id for its owner; conversations of other accounts are left out.',
})

export const assignConversation = job('statuses.file-conversation', {
  data: z.object({
    status: z.string(),
    /**
     * After a change of mentions: the accounts that the change mentions newly. Other accounts keep the status only if they have it
     * in a conversation. If absent, the status is added for all accounts.
     */
    added: z.array(z.string()).optional(),
  }),
  about: 'Adds a direct status to the conversations of its participants, or removes a deleted one.',
})
