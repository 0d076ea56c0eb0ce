/** The task that removes pictures of old preview cards, which the statuses service owns. */
import { previewImagesDelete } from '@murmuration/contracts/statuses'
import { taskKind } from '@murmuration/kernel'
import type { Context } from '../context.js'

export interface PreviewCardsInput {
  days: number
  /** ISO 8601; only cards fetched before this time. */
  before: string
  /** True for cards of pages only. */
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
  // The statuses service removes pictures in its own transactions. A card without a picture is not counted again.
  prepare: (ctx, { input, after, dryRun }) =>
    ctx.call(previewImagesDelete, { before: input.before, after, link_only: input.link, dry_run: dryRun }),
  apply: async (_ctx, _tx, _step, prepared) => prepared,
})
