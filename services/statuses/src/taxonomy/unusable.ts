/** Announces which hashtags staff made unusable, for services that refuse them, too. */
import { unusableTagsListed } from '@murmuration/contracts/statuses'
import type { Tx } from '@murmuration/db'
import type { Context } from '../context.js'
import { unusableTags } from './store.js'

/** Announces the whole list. The caller has locked the trends, so that no other decision is made meanwhile. */
export const announceUnusable = async (ctx: Pick<Context, 'announce'>, tx: Tx): Promise<void> => {
  const { names, at } = await unusableTags(tx)
  await ctx.announce(tx, unusableTagsListed, { names, listedAt: at.toISOString() })
}
