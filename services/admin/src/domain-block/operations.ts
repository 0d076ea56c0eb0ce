/** Operations on domain blocks for staff, and the public list. */
import {
  createDomainBlock,
  listDomainBlocks,
  listPublicDomainBlocks,
  removeDomainBlock,
  showDomainBlock,
  updateDomainBlock,
} from '@murmuration/contracts/admin'
import { notFound, pageReply } from '@murmuration/contracts/kit'
import { endsOf } from '@murmuration/db'
import { changePolicy } from '../core/change-policy.js'
import { blockById, blockPage, deleteBlock, shownBlocks } from '../core/domain-block.store.js'
import { handle } from '../handlers.js'
import { settingRows, settingsOf } from '../setting/index.js'
import { recordBlockChanges } from './change.js'
import { changeBlock, insertDomainBlock, newBlock } from './new-block.js'
import { adminBlock, publicBlockOf } from './view.js'

/** Lists domain blocks, newest first. */
export const list = handle(listDomainBlocks, async (ctx, _viewer, page) => {
  const rows = await blockPage(ctx.db, page)
  return pageReply(
    listDomainBlocks.output,
    rows.map(adminBlock),
    endsOf(
      rows.map((row) => row.id),
      page,
    ),
  )
})

/** Returns one domain block. */
export const show = handle(showDomainBlock, async (ctx, _viewer, { id }) => {
  const row = await blockById(ctx.db, id)
  if (!row) throw notFound()
  return adminBlock(row)
})

/** Limits or suspends a domain and its subdomains. */
export const create = handle(createDomainBlock, async (ctx, viewer, input) => {
  const row = newBlock(ctx, input.domain, input)
  await changePolicy(ctx, (tx) => insertDomainBlock(ctx, tx, viewer, row))
  return adminBlock(row)
})

/** Changes the effects of a domain block. */
export const update = handle(updateDomainBlock, async (ctx, viewer, input) => {
  const row = await changePolicy(ctx, async (tx) => {
    const before = await blockById(tx, input.id)
    if (!before) throw notFound()
    return changeBlock(ctx, tx, viewer, before, input)
  })
  return adminBlock(row)
})

/** Removes a domain block. */
export const remove = handle(removeDomainBlock, async (ctx, viewer, { id }) => {
  await changePolicy(ctx, async (tx) => {
    const before = await blockById(tx, id)
    if (!before) throw notFound()
    await deleteBlock(tx, id)
    await recordBlockChanges(ctx, tx, viewer, [{ before, after: null }])
  })
  return {}
})

/** Audience of the public list of domain blocks. */
type Shown = 'disabled' | 'users' | 'all'
const showsTo = (signedIn: boolean, shown: Shown): boolean => shown === 'all' || (shown === 'users' && signedIn)

export const listPublic = handle(listPublicDomainBlocks, async (ctx, viewer) => {
  const settings = settingsOf(await settingRows(ctx.db))
  const signedIn = viewer !== null
  if (!showsTo(signedIn, settings.show_domain_blocks)) throw notFound('Not Found')
  const withReason = showsTo(signedIn, settings.show_domain_blocks_rationale)
  return (await shownBlocks(ctx.db)).map((row) => publicBlockOf(row, withReason))
})
