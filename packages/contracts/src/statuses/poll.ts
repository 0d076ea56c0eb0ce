/** Operations and events about polls: look-up, votes and results. */
import { z } from 'zod'
import { Poll } from '../entities/index.js'
import { event, get, id, internal, list, operation, optional, post, text, user } from '../kit/index.js'

export const showPoll = operation('statuses.poll.show', {
  http: get('/api/v1/polls/:id'),
  viewer: optional('read|read:statuses'),
  cache: 'anonymous',
  input: z.object({ id: id() }),
  output: Poll,
  errors: ['not_found'],
  about: 'A poll with its current votes.',
})

export const vote = operation('statuses.poll.vote', {
  http: post('/api/v1/polls/:id/votes'),
  viewer: user('write|write:statuses'),
  input: z.object({
    id: id(),
    /** Indexes of the chosen options, from 0. */
    choices: list(text(), null).default([]),
  }),
  output: Poll,
  errors: ['invalid', 'not_found', 'forbidden', 'unprocessable'],
  about: 'Votes in a poll.',
})

export const pollVoted = event('statuses.poll.voted', {
  data: z.object({
    id: z.string(),
    status: z.string(),
    statusUri: z.string(),
    author: z.string(),
    authorLocal: z.boolean(),
    by: z.string(),
    byLocal: z.boolean(),
    /** Titles of the chosen options as the server of the poll wrote them. */
    options: z.array(z.string()),
  }),
  about: 'An account voted in a poll.',
})

export const pollEnded = event('statuses.poll.ended', {
  data: z.object({ id: z.string(), status: z.string(), author: z.string(), local: z.boolean() }),
  about: 'A poll ended.',
})

export const pollReopened = event('statuses.poll.reopened', {
  data: z.object({ id: z.string(), status: z.string() }),
  about: 'An edit gave an ended poll other options or another end, or removed it.',
})

export const pollVoters = operation('statuses.poll.voters', {
  viewer: internal(),
  input: z.object({
    poll: z.string(),
    /** Value of `next` on the previous page; absent for the first page. */
    after: z.string().optional(),
    limit: z.int().max(1_000).default(1_000),
  }),
  output: z.object({
    accounts: z.array(z.string()),
    next: z.string().nullable(),
    /** Present if the end of the poll is not announced yet, also after an edit that set another end. */
    running: z.literal(true).optional(),
  }),
  about: 'Local accounts that voted in a poll, in pages.',
})

export const castRemoteVote = operation('statuses.poll.vote-remote', {
  viewer: internal(),
  class: 'write',
  input: z.object({
    /** Address of the status with the poll. */
    status: z.string(),
    /** Account id of the voter. */
    actor: z.string(),
    /**
     * Votes: the title of the chosen option, and the id of the vote activity. `instead`: title that counts if no option
     * has the title `option`.
     */
    votes: z
      .array(z.object({ option: z.string(), uri: z.string(), instead: z.string().optional() }))
      .min(1)
      .max(500),
  }),
  output: z.object({
    /** `unknown`: the status is no local poll that the voter may see. */
    outcome: z.enum(['done', 'unchanged', 'unknown', 'ended', 'no-option', 'refused']),
  }),
  about: 'Stores votes of a remote account in a local poll. A repeated vote is ignored.',
})
