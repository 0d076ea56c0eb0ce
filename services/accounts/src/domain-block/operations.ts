/** Handlers of domain blocks of a user. */
import {
  createDomainBlock,
  listDomainBlocks,
  previewDomainBlock,
  removeDomainBlock,
} from '@murmuration/contracts/accounts'
import { pageReply, toJson } from '@murmuration/contracts/kit'
import { endsOf, newestFirst } from '@murmuration/db'
import { countWithDomain } from '../core/follow/domain.store.js'
import { handle } from '../handlers.js'
import { blockDomainAs } from './begin.js'
import { domainNameOf } from './rules.js'
import { deleteDomainBlock, domainBlocksOf } from './store.js'

/** Domains that the viewer blocks, newest first. */
export const list = handle(listDomainBlocks, async (ctx, viewer, page) => {
  const rows = newestFirst(await domainBlocksOf(ctx.db, viewer.id, page), page)
  const texts = rows.map((row) => toJson(row.domain))
  return pageReply<string>(
    listDomainBlocks.output,
    texts,
    endsOf(
      rows.map((row) => row.id),
      page,
    ),
  )
})

/** Blocks a domain for the viewer. Follows in both directions end. */
export const create = handle(createDomainBlock, async (ctx, viewer, input) => {
  const domain = domainNameOf(input.domain)
  await ctx.db.tx((tx) => blockDomainAs(ctx, tx, viewer.id, domain))
  return {}
})

/** Removes a domain block of the viewer. */
export const remove = handle(removeDomainBlock, async (ctx, viewer, input) => {
  await ctx.db.tx((tx) => deleteDomainBlock(tx, viewer.id, domainNameOf(input.domain)))
  return {}
})

/** Returns how many follows of the viewer a block of the domain would end. */
export const preview = handle(previewDomainBlock, (ctx, viewer, { domain }) =>
  countWithDomain(ctx.db, viewer.id, domainNameOf(domain)),
)
