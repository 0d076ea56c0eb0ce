/** Upkeep of statuses: old remote statuses that nothing here refers to, and pictures of old preview cards. */
import { z } from 'zod'
import { internal, job, operation } from '../kit/index.js'

export const unreferencedStatuses = operation('statuses.unreferenced-status.list', {
  viewer: internal(),
  class: 'search',
  repeatable: true,
  input: z.object({
    /** Status id after which the window begins. */
    after: z.string(),
    /** Only statuses with a lower id. */
    before: z.string(),
    limit: z.int().min(1).max(1_000),
  }),
  output: z.object({
    statuses: z.array(
      z.object({
        id: z.string(),
        author: z.string(),
        /** Authors of the status and of its replies, boosts and quotes. */
        authors: z.array(z.string()),
      }),
    ),
    /** Remote statuses in the window, and its last id; null after the last status. */
    seen: z.int(),
    next: z.string().nullable(),
  }),
  about:
    'Remote statuses of a window of ids that no local account mentioned, favourited, bookmarked, boosted, quoted, voted in or replied to.',
})

export const unreferencedStatusesRemove = operation('statuses.unreferenced-status.remove', {
  viewer: internal(),
  class: 'write',
  input: z.object({ ids: z.array(z.string()).max(1_000), before: z.string() }),
  output: z.object({ removed: z.int() }),
  about: 'Removes those of these remote statuses that still nothing here refers to, with their files.',
})

export const previewImagesForget = operation('statuses.preview-card.forget-images', {
  viewer: internal(),
  class: 'write',
  repeatable: true,
  input: z.object({
    /** ISO time; only cards that were read before. */
    before: z.string(),
    /** Where the window begins; empty for the first one. */
    after: z.string(),
    /** Only cards of pages, not those of videos and photos. */
    link_only: z.boolean(),
    dry_run: z.boolean(),
  }),
  output: z.object({ changed: z.int(), seen: z.int(), next: z.string().nullable() }),
  about: 'Removes pictures of old preview cards. A card has one again when its page is read again.',
})

export const releaseFiles = job('statuses.release-files', {
  data: z.object({ /** Ids of statuses and preview cards. */ holders: z.array(z.string()).max(200) }),
  about: 'Has media delete the files of statuses and preview cards that are gone.',
  retry: { delays: [1, 5, 30, 120, 600], times: 40 },
  concurrency: 2,
})
