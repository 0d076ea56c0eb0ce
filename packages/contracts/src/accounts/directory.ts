/** Operation that lists the accounts that opted in to discovery: the directory. */
import { z } from 'zod'
import { Account } from '../entities/index.js'
import { flagOr, get, limit, offset, operation, optional, text } from '../kit/index.js'

export const listDirectory = operation('accounts.directory.list', {
  http: get('/api/v1/directory'),
  viewer: optional(),
  input: z.object({
    /** `new`: newest accounts first. Any other order lists the most recently active accounts first. */
    order: text(100).optional(),
    local: flagOr(false),
    limit: limit(40),
    offset: offset(),
  }),
  large: true,
  output: z.array(Account),
  errors: ['not_found', 'unavailable'],
  cache: 'anonymous',
  about: 'Accounts that opted in to discovery, most recently active first by default.',
})
