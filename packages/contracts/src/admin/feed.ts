/** Operations with which staff and operators rebuild and clear home and list feeds of local accounts. */
import { z } from 'zod'
import { flagOr, id, operation, post } from '../kit/index.js'
import { Task } from '../task.js'
import { STAFF_PREFIX, staffWrites } from './staff.js'

const input = () =>
  z.object({
    /**
     * Only feeds of this account, whose role must be below the role of the caller. Without `account_id`, feeds of all recently active
     * local accounts are built or cleared.
     */
    account_id: id().optional(),
    dry_run: flagOr(false),
  })

export const buildFeeds = operation('admin.feed.build', {
  http: post(`${STAFF_PREFIX}/feeds/build`),
  viewer: staffWrites('view_devops'),
  class: 'admin',
  input: input(),
  output: Task,
  errors: ['forbidden', 'not_found', 'unprocessable'],
  about: 'Starts a task that rebuilds home and list feeds of accounts that were active in the last 30 days.',
})

export const clearFeeds = operation('admin.feed.clear', {
  http: post(`${STAFF_PREFIX}/feeds/clear`),
  viewer: staffWrites('view_devops'),
  class: 'admin',
  input: input(),
  output: Task,
  errors: ['forbidden', 'not_found', 'unprocessable'],
  about: 'Starts a task that deletes home and list feeds from Redis. They are rebuilt when they are read.',
})
