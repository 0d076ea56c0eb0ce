/** Task that removes the copies of avatars and headers of remote accounts from the media service. */
import { deletePictures } from '@murmuration/contracts/media'
import { taskKind } from '@murmuration/kernel'
import { readTime } from '@murmuration/text'
import type { Context } from '../context.js'
import { profileMediaWindow } from './profile-media.store.js'
import { estimateAccounts } from './window.store.js'

const WINDOW = 1_000

export interface ProfileMediaInput {
  /** ISO time. Only accounts that were not fetched since this time are included. */
  before: string
  days: number
  kinds: ('avatar' | 'header')[]
  includeFollows: boolean
}

interface Prepared {
  next: string | null
  seen: number
  changed: number
  bytes: number
}

export const profileMediaKind = taskKind<Context>()<ProfileMediaInput, Prepared>({
  name: 'remove-profile-media',
  permission: 'view_devops',
  act: ({ days }) => ({ action: 'remove_media', target: `profiles, ${days} days` }),
  total: (ctx) => estimateAccounts(ctx.db),
  // The media service removes the files in its own transactions. If the step is repeated, files that are removed
  // already are not counted again.
  async prepare(ctx, { input, after, dryRun }) {
    const { seen, last, ids } = await profileMediaWindow(ctx.db, {
      after,
      before: new Date(readTime(input.before)),
      includeFollows: input.includeFollows,
      limit: WINDOW,
    })
    const next = seen < WINDOW ? null : last
    if (ids.length === 0) return { next, seen, changed: 0, bytes: 0 }
    const { pictures, bytes } = await ctx.call(deletePictures, { owners: ids, kinds: input.kinds, dry_run: dryRun })
    return { next, seen, changed: pictures, bytes }
  },
  apply: async (_ctx, _tx, _step, prepared) => prepared,
})
