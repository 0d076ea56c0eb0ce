/** Operations and the event about lists of followed accounts, and their members. */
import { z } from 'zod'
import { Account, List } from '../entities/index.js'
import {
  del,
  event,
  flag,
  flagOr,
  get,
  id,
  ids,
  internal,
  limitOrAll,
  operation,
  pageFields,
  pageOf,
  post,
  put,
  text,
  user,
} from '../kit/index.js'

const read = () => user('read|read:lists')
const write = () => user('write|write:lists')
const one = z.object({ id: id() })

export const createList = operation('accounts.list.create', {
  http: post('/api/v1/lists'),
  viewer: write(),
  creates: true,
  input: z.object({
    title: text().optional(),
    replies_policy: text(50).optional(),
    exclusive: flagOr(false),
  }),
  output: List,
  errors: ['unprocessable'],
  about: 'Creates a list.',
})
export const listIndex = operation('accounts.list.index', {
  http: get('/api/v1/lists'),
  viewer: read(),
  input: z.object({}),
  output: z.array(List),
  about: 'Lists of the signed-in user, in order of creation.',
})
export const showList = operation('accounts.list.show', {
  http: get('/api/v1/lists/:id'),
  viewer: read(),
  input: one,
  output: List,
  errors: ['not_found'],
  about: 'One list.',
})
export const updateList = operation('accounts.list.update', {
  http: [...put('/api/v1/lists/:id')],
  viewer: write(),
  input: z.object({
    id: id(),
    title: text().optional(),
    replies_policy: text(50).optional(),
    exclusive: flag(),
  }),
  output: List,
  errors: ['not_found', 'unprocessable'],
  about: 'Changes a list.',
})
export const removeList = operation('accounts.list.remove', {
  http: del('/api/v1/lists/:id'),
  viewer: write(),
  input: one,
  output: z.object({}),
  errors: ['not_found'],
  about: 'Deletes a list.',
})
export const listsOfAccount = operation('accounts.list.containing', {
  http: get('/api/v1/accounts/:id/lists'),
  viewer: read(),
  input: one,
  output: z.array(List),
  errors: ['not_found'],
  about: 'Lists of the signed-in user that contain this account.',
})

export const listOwners = operation('accounts.list.owners', {
  viewer: internal(),
  input: z.object({ ids: z.array(z.string()).max(1_000) }),
  output: z.object({ owners: z.record(z.string(), z.string()) }),
  about: 'Account id of the owner of each list; unknown lists are left out.',
})

export const listMembersOfList = operation('accounts.list-member.list', {
  http: get('/api/v1/lists/:id/accounts'),
  viewer: read(),
  large: true,
  input: z.object({ id: id(), ...pageFields(40), limit: limitOrAll(40) }),
  output: pageOf(Account, 'accounts'),
  errors: ['not_found'],
  about: 'Members of a list.',
})
export const addListMembers = operation('accounts.list-member.add', {
  http: post('/api/v1/lists/:id/accounts'),
  viewer: write(),
  input: z.object({ id: id(), account_ids: ids(500).default([]) }),
  output: z.object({}),
  errors: ['not_found', 'unprocessable'],
  about: 'Adds followed accounts to a list.',
})
export const removeListMembers = operation('accounts.list-member.remove', {
  http: del('/api/v1/lists/:id/accounts'),
  viewer: write(),
  input: z.object({ id: id(), account_ids: ids(500).default([]) }),
  output: z.object({}),
  errors: ['not_found'],
  about: 'Removes accounts from a list.',
})

export const listChanged = event('accounts.list.changed', {
  data: z.object({ id: z.string(), owner: z.string() }),
  about: 'Members or settings of a list changed, or a mute of its owner ended. Its feed is rebuilt.',
})
