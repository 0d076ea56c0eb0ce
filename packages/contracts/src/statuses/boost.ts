/** Operations and jobs about boosts: boosting a status, undoing it, and the accounts that boosted it. */
import { z } from 'zod'
import { Account, Status } from '../entities/index.js'
import {
  get,
  id,
  internal,
  job,
  operation,
  optional,
  pageFields,
  pageOf,
  post,
  textOrNone,
  user,
} from '../kit/index.js'
import { StatusRecord } from './status-record.js'

export const addReblog = operation('statuses.reblog.add', {
  http: post('/api/v1/statuses/:id/reblog'),
  viewer: user('write|write:statuses'),
  family: 'statuses',
  input: z.object({ id: id(), visibility: textOrNone(100).optional() }),
  output: Status,
  errors: ['not_found', 'forbidden', 'unprocessable'],
  about: 'Boosts a status to the followers of the viewer. A status can be boosted once.',
})

export const removeReblog = operation('statuses.reblog.remove', {
  http: post('/api/v1/statuses/:id/unreblog'),
  viewer: user('write|write:statuses'),
  input: z.object({ id: id() }),
  output: Status,
  errors: ['not_found'],
  about: 'Undoes a boost.',
})

export const listBoosters = operation('statuses.reblog.people', {
  http: get('/api/v1/statuses/:id/reblogged_by'),
  viewer: optional('read|read:accounts'),
  cache: 'anonymous',
  input: z.object({ id: id(), ...pageFields(40) }),
  output: pageOf(Account, 'accounts'),
  errors: ['not_found'],
  about: 'Accounts that boosted a status publicly.',
})

export const localBoosters = operation('statuses.reblog.local-people', {
  viewer: internal(),
  input: z.object({
    status: z.string(),
    /** Value of `next` on the previous page; absent for the first page. */
    after: z.string().optional(),
    limit: z.int().max(1_000).default(1_000),
  }),
  output: z.object({ accounts: z.array(z.string()), next: z.string().nullable() }),
  about: 'Local accounts that boosted a status, in pages.',
})

export const localBoosts = operation('statuses.reblog.local-boosts', {
  viewer: internal(),
  input: z.object({
    status: z.string(),
    limit: z.int().max(100),
    /**
     * Account id. If given, only the boost by this account is returned. A process of an older release ignores it and returns all
     * boosts.
     */
    author: z.string().optional(),
  }),
  output: z.object({ boosts: z.array(StatusRecord) }),
  about: 'Boosts of a status by local accounts, newest first.',
})

export const removeReblogs = job('statuses.remove-reblogs', {
  data: z.object({ status: z.string() }),
  about: 'Deletes the boosts of a deleted status, 200 at a time.',
})
