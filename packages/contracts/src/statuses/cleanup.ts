/** Operations and jobs for the automatic deletion of the account's own old statuses. */
import { z } from 'zod'
import { internal, job, operation } from '../kit/index.js'

/** Allowed ages in days: a week to two years. */
export const CLEANUP_AGES = [7, 14, 30, 61, 91, 182, 365, 730] as const

const threshold = () => z.int().min(1).max(1_000_000).nullable()

export const Cleanup = z.object({
  enabled: z.boolean(),
  /** Age in days at which a status is deleted. */
  age: z.literal(CLEANUP_AGES),
  keepPinned: z.boolean(),
  keepDirect: z.boolean(),
  keepPolls: z.boolean(),
  keepMedia: z.boolean(),
  /** True: statuses that the author favourited or bookmarked are kept. */
  keepOwnFavourites: z.boolean(),
  keepOwnBookmarks: z.boolean(),
  /** Minimum number of favourites or boosts by others with which a status is kept; null disables the rule. */
  leastFavourites: threshold(),
  leastReblogs: threshold(),
})
export type Cleanup = z.infer<typeof Cleanup>

export const showCleanup = operation('statuses.cleanup.show', {
  viewer: internal(),
  input: z.object({ account: z.string() }),
  output: Cleanup,
  about: 'Policy of an account for the automatic deletion of its old statuses; off by default.',
})

export const changeCleanup = operation('statuses.cleanup.change', {
  viewer: internal(),
  class: 'write',
  input: Cleanup.extend({ account: z.string() }),
  output: z.object({}),
  about: 'Changes the policy of an account for the automatic deletion of its old statuses.',
})

export const cleanUp = job('statuses.clean-up', {
  data: z.object({ account: z.string() }),
  about: 'Deletes some of an account’s old statuses according to its policy.',
  // The concurrency is low, because each deletion is sent to other servers.
  concurrency: 1,
})
