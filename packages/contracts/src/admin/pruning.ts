/**
 * Operations that start tasks which delete unused data: remote accounts and statuses without relation to local
 * accounts, and pictures of old preview cards.
 */
import { z } from 'zod'
import { flagOr, int, operation, post } from '../kit/index.js'
import { Task } from '../task.js'
import { STAFF_PREFIX, staffWrites } from './staff.js'

export const pruneRemoteAccounts = operation('admin.pruning.prune-accounts', {
  http: post(`${STAFF_PREFIX}/accounts/prune`),
  viewer: staffWrites('manage_federation'),
  class: 'admin',
  input: z.object({ dry_run: flagOr(false) }),
  output: Task,
  errors: ['unprocessable'],
  about:
    'Starts a task that removes remote accounts without statuses, mentions, favourites, votes, relations and reports here, a week after they became known.',
})

const days = (max: number) => int().pipe(z.int().min(1).max(36_500)).default(max)

export const removeStatuses = operation('admin.pruning.remove-statuses', {
  http: post(`${STAFF_PREFIX}/statuses/remove`),
  viewer: staffWrites('manage_federation'),
  class: 'admin',
  input: z.object({
    /** Only statuses older than this number of days. */
    days: days(90),
    /** Maximum number of statuses that one step of the task deletes. */
    batch_size: int().pipe(z.int().min(1).max(1_000)).default(500),
    /** True: statuses by accounts that local accounts follow are deleted, too. */
    clean_followed: flagOr(false),
    dry_run: flagOr(false),
  }),
  output: Task,
  errors: ['unprocessable'],
  about:
    'Starts a task that removes old remote statuses that no local account interacted with, and that no report names. They can be fetched again.',
})

export const removePreviewCards = operation('admin.pruning.remove-preview-cards', {
  http: post(`${STAFF_PREFIX}/preview_cards/remove`),
  viewer: staffWrites('view_devops'),
  class: 'admin',
  input: z.object({
    /** Only preview cards whose page was last fetched more than this number of days ago. */
    days: days(180),
    /** True: only preview cards of pages, not those of videos and photos. */
    link: flagOr(false),
    dry_run: flagOr(false),
  }),
  output: Task,
  errors: ['unprocessable'],
  about: 'Starts a task that removes pictures of old preview cards. The cards stay.',
})
