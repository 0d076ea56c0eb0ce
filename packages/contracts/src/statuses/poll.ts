/** Polls: reading one and voting. */
import { z } from 'zod'
import { Poll } from '../entities/index.js'
import { get, id, list, operation, optional, post, text, user } from '../kit/index.js'

export const showPoll = operation('statuses.poll.show', {
  http: get('/api/v1/polls/:id'),
  viewer: optional('read|read:statuses'),
  cache: 'anonymous',
  input: z.object({ id: id() }),
  output: Poll,
  errors: ['not_found'],
  about: 'A poll as it stands now.',
})

export const vote = operation('statuses.poll.vote', {
  http: post('/api/v1/polls/:id/votes'),
  viewer: user('write|write:statuses'),
  input: z.object({
    id: id(),
    /** Indexes of options, from zero. */
    choices: list(text(20), 500),
  }),
  output: Poll,
  errors: ['invalid', 'not_found', 'forbidden', 'unprocessable'],
  about: 'Votes in a poll.',
})
