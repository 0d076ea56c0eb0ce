/** Operations that suggest accounts to follow, and that dismiss a suggestion. */
import { z } from 'zod'
import { Account, Suggestion } from '../entities/index.js'
import { del, get, id, limit, offset, operation, user } from '../kit/index.js'

const page = z.object({ limit: limit(40), offset: offset() })

export const listSuggestions = operation('accounts.suggestion.list', {
  http: get('/api/v2/suggestions'),
  viewer: user('read|read:accounts'),
  input: page,
  large: true,
  output: z.array(Suggestion),
  about: 'Accounts the viewer may want to follow, with the reasons.',
})

export const suggestionAccounts = operation('accounts.suggestion.accounts', {
  http: get('/api/v1/suggestions', '2021-05-16'),
  viewer: user('read|read:accounts'),
  input: page,
  large: true,
  output: z.array(Account),
  about: 'Accounts the viewer may want to follow, without the reasons; for older clients.',
})

export const dismissSuggestion = operation('accounts.suggestion.dismiss', {
  http: del('/api/v1/suggestions/:account_id'),
  viewer: user('write|write:accounts'),
  input: z.object({ account_id: id() }),
  output: z.object({}),
  about: 'Removes an account from the suggestions permanently.',
})
