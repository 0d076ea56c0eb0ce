/** Operations and jobs about preview cards of links. */
import { z } from 'zod'
import { internal, job, operation } from '../kit/index.js'

export const previewLink = job('statuses.preview-link', {
  data: z.object({ status: z.string() }),
  about: 'Fetches the page of the first link of a status, and stores its preview card.',
  timeoutMs: 45_000,
  concurrency: 16,
})

export const deletePreviewImages = operation('statuses.preview-card.forget-images', {
  viewer: internal(),
  class: 'write',
  repeatable: true,
  input: z.object({
    /** ISO 8601. Only pictures of cards that were fetched before this time are removed. */
    before: z.string(),
    /** Value of `next` in the previous response; empty for the first window. */
    after: z.string(),
    /** True: only preview cards of pages, not those of videos and photos. */
    link_only: z.boolean(),
    dry_run: z.boolean(),
  }),
  output: z.object({ changed: z.int(), seen: z.int(), next: z.string().nullable() }),
  about: 'Removes pictures of old preview cards. A card gets a picture again when its page is fetched again.',
})
