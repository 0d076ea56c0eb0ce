/** The task that removes pictures of old preview cards, which the statuses service owns. */
import { deletePreviewImages } from '@murmuration/contracts/statuses'
import { taskKind } from '@murmuration/kernel'
import type { Context } from '../context.js'

export interface PreviewCardsInput {
  days: number
  /** Only preview cards that were fetched before this time (ISO 8601) lose their pictures. */
  before: string
  /** True: only cards of the type `link` lose their pictures. */
  link: boolean
}

interface Prepared {
  next: string | null
  seen: number
  changed: number
}

export const previewCardsKind = taskKind<Context>()<PreviewCardsInput, Prepared>({
  name: 'remove-preview-cards',
  permission: 'view_devops',
  act: ({ days }) => ({ action: 'remove_preview_cards', target: `${days} days` }),
  // The statuses service removes pictures in its own transactions. A card that has no picture any longer is not counted
  // again by a repeated step.
  prepare: (ctx, { input, after, dryRun }) =>
    ctx.call(deletePreviewImages, { before: input.before, after, link_only: input.link, dry_run: dryRun }),
  apply: async (_ctx, _tx, _step, prepared) => prepared,
})
