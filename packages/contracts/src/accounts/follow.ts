/** Operations, events and jobs about follows: create, delete, requests, followers and followed accounts. */

import { z } from 'zod'
import { STAFF_PREFIX, staffWrites } from '../admin/staff.js'
import { Account, FamiliarFollowers, Relationship } from '../entities/index.js'
import {
  event,
  flag,
  flagOr,
  get,
  id,
  ids,
  internal,
  job,
  knownOr,
  list,
  operation,
  optional,
  pageFields,
  pageOf,
  post,
  text,
  user,
} from '../kit/index.js'
import { Task } from '../task.js'
import { RelationshipChange } from './relationship.js'

const write = 'write|write:follows|follow'
const target = z.object({ id: id() })
const administrators = staffWrites('administrator')

export const createFollow = operation('accounts.follow.create', {
  http: post('/api/v1/accounts/:id/follow'),
  viewer: user(write),
  family: 'follows',
  input: z.object({
    id: id(),
    /** Whether boosts by the account are shown. If absent: unchanged, and true for a new follow. */
    reblogs: flag(),
    /** Whether each status of the account causes a notification. If absent: unchanged, and false for a new follow. */
    notify: flag(),
    /** Only statuses in these languages are shown; an empty list shows all. */
    languages: list(text(50), 200).optional(),
  }),
  output: Relationship,
  errors: ['forbidden', 'not_found', 'unprocessable'],
  about: 'Follows an account, requests to follow it, or changes the settings of the follow.',
})

export const removeFollow = operation('accounts.follow.remove', {
  http: post('/api/v1/accounts/:id/unfollow'),
  viewer: user(write),
  input: target,
  output: Relationship,
  errors: ['not_found'],
  about: 'Ends a follow, or withdraws the follow request.',
})

export const removeFollower = operation('accounts.follower.remove', {
  http: post('/api/v1/accounts/:id/remove_from_followers'),
  viewer: user(write),
  input: target,
  output: Relationship,
  errors: ['not_found'],
  about: 'Ends the follow of the signed-in user by another account.',
})

export const listFollowers = operation('accounts.follower.list', {
  http: get('/api/v1/accounts/:id/followers'),
  viewer: optional('read|read:accounts'),
  input: z.object({ id: id(), ...pageFields(40) }),
  output: pageOf(Account, 'accounts'),
  errors: ['not_found'],
  cache: 'anonymous',
  about: 'Followers of an account, newest follow first.',
})

export const listFollowees = operation('accounts.followee.list', {
  http: get('/api/v1/accounts/:id/following'),
  viewer: optional('read|read:accounts'),
  input: z.object({ id: id(), ...pageFields(40) }),
  output: pageOf(Account, 'accounts'),
  errors: ['not_found'],
  cache: 'anonymous',
  about: 'Accounts that an account follows, newest follow first.',
})

export const listFamiliarFollowers = operation('accounts.familiar-follower.list', {
  http: get('/api/v1/accounts/familiar_followers'),
  viewer: user('read|read:follows'),
  large: true,
  input: z.object({ id: ids(100).default([]) }),
  output: z.array(FamiliarFollowers),
  about: 'For each of the given accounts, its followers whom the signed-in user follows.',
})

export const listFollowRequests = operation('accounts.follow-request.list', {
  http: get('/api/v1/follow_requests'),
  viewer: user('read|read:follows|follow'),
  input: z.object(pageFields(40)),
  output: pageOf(Account, 'accounts'),
  about: 'Accounts that request to follow the signed-in user, newest request first.',
})

const requester = z.object({ account_id: id() })

export const authorizeFollowRequest = operation('accounts.follow-request.authorize', {
  http: post('/api/v1/follow_requests/:account_id/authorize'),
  viewer: user(write),
  input: requester,
  output: Relationship,
  errors: ['not_found'],
  about: 'Accepts a follow request.',
})

export const rejectFollowRequest = operation('accounts.follow-request.reject', {
  http: post('/api/v1/follow_requests/:account_id/reject'),
  viewer: user(write),
  input: requester,
  output: Relationship,
  errors: ['not_found'],
  about: 'Rejects a follow request.',
})

export const followersGained = operation('accounts.follower.gained', {
  viewer: internal(),
  input: z.object({
    id: z.string(),
    /** Begin of the period in milliseconds since 1970. Its end `to` is exclusive. */ from: z.int(),
    to: z.int(),
  }),
  output: z.object({ count: z.int() }),
  about: 'Number of an account’s followers whose follow began in a period.',
})

export const followAccounts = operation('accounts.upkeep.follow', {
  http: post(`${STAFF_PREFIX}/accounts/:id/follow_from_all`),
  viewer: administrators,
  class: 'admin',
  input: z.object({ id: id(), dry_run: flagOr(false) }),
  output: Task,
  errors: ['not_found', 'forbidden', 'unprocessable'],
  about: 'Starts a task in which every active local account follows a local account below the caller’s own role.',
})

export const unfollowAccounts = operation('accounts.upkeep.unfollow', {
  http: post(`${STAFF_PREFIX}/accounts/:id/end_follows`),
  viewer: administrators,
  class: 'admin',
  input: z.object({
    id: id(),
    /** `local`: follows of the account by local accounts. `followers` and `following`: all follows in that direction. */
    which: z.enum(['local', 'followers', 'following']).default('local'),
    dry_run: flagOr(false),
  }),
  output: Task,
  errors: ['not_found', 'forbidden', 'unprocessable'],
  about: 'Starts a task that ends follows of an account. A local account must be below the caller’s own role.',
})

export const followCreated = event('accounts.follow.created', {
  data: RelationshipChange.extend({ /** True when a follow request was accepted. */ accepted: z.boolean() }),
  about: 'An account follows another.',
})

export const followRemoved = event('accounts.follow.removed', {
  data: RelationshipChange.extend({ /** True when the followed account ended the follow. */ byTarget: z.boolean() }),
  about: 'A follow ended.',
})

export const followRequested = event('accounts.follow-request.created', {
  data: RelationshipChange,
  about:
    'An account requests to follow another. Also sent for each follow of a remote account until its server responds, and for a repeated request.',
})

export const followRequestRemoved = event('accounts.follow-request.removed', {
  data: RelationshipChange.extend({ why: knownOr(z.enum(['accepted', 'rejected', 'withdrawn']), 'accepted') }),
  about: 'A follow request was accepted, rejected or withdrawn.',
})

export const acceptRequestsJob = job('accounts.accept-requests', {
  data: z.object({ target: z.string() }),
  about: 'Accepts the remaining follow requests of an account that was unlocked.',
})

export const renewFollowsJob = job('accounts.renew-follows', {
  data: z.object({
    /** Account id of the followed remote account. */
    account: z.string(),
    which: z.enum(['follows', 'follow_requests']),
    /** Id of the follow after which the next page begins. */
    after: z.string(),
    /** Id of the renewal, the same for all pages. The ids of the new Follow activities end with it. */
    run: z.string(),
  }),
  about: 'Requests again the follows of an account whose server was set up anew, in pages.',
  concurrency: 1,
})
