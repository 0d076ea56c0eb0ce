/** Handlers that list and show strikes, for staff and for the account holder. */

import { splice } from '@murmuration/cards'
import {
  findStrikesOfHolder,
  listOwnStrikes,
  listStrikes,
  showOwnStrike,
  showStrikeByLink,
  showStrike as showStrikeOperation,
} from '@murmuration/contracts/admin'
import { jsonArray, notFound, pageReply, toJson } from '@murmuration/contracts/kit'
import { endsOf } from '@murmuration/db'
import { readSignedId } from '@murmuration/kernel'
import { handle } from '../handlers.js'
import { joinHolderStrike, joinWarning, showStrike, showStrikes, showWarning } from './show.js'
import { strikeById, strikePage } from './store.js'

const idsOf = (rows: readonly { id: string }[]): string[] => rows.map((row) => row.id)

export const list = handle(listStrikes, async (ctx, _viewer, { account_id, ...page }) => {
  const rows = await strikePage(ctx.db, account_id, page)
  return pageReply(listStrikes.output, await showStrikes(ctx, rows), endsOf(idsOf(rows), page))
})

export const show = handle(showStrikeOperation, async (ctx, _viewer, { id }) =>
  showStrike(ctx, await strikeById(ctx.db, id)),
)

export const listOwn = handle(listOwnStrikes, async (ctx, viewer, page) => {
  const [rows, cards] = await Promise.all([strikePage(ctx.db, viewer.id, page), ctx.accountCards.many([viewer.id])])
  const card = cards.get(viewer.id)
  if (card === undefined) throw notFound()
  const texts = rows.map((row) => joinWarning(row, card))
  return pageReply(listOwnStrikes.output, texts, endsOf(idsOf(rows), page))
})

export const showOwn = handle(showOwnStrike, async (ctx, viewer, { id }) => {
  const row = await strikeById(ctx.db, id)
  if (row?.target_account_id !== viewer.id) throw notFound()
  return showWarning(ctx, row)
})

export const findOfHolder = handle(findStrikesOfHolder, async (ctx, _viewer, { account, max_id, limit }) => {
  const [rows, cards] = await Promise.all([
    strikePage(ctx.db, account, { limit, ...(max_id === undefined ? {} : { max_id }) }),
    ctx.accountCards.many([account]),
  ])
  const card = cards.get(account)
  const texts = card === undefined ? [] : rows.map((row) => joinHolderStrike(row, card, ctx.clock.now()))
  return splice<{ strikes: never[] }>(toJson({}), { strikes: jsonArray(texts) })
})

export const showByLink = handle(showStrikeByLink, async (ctx, _viewer, { token }) => {
  const id = readSignedId(ctx.strikeLinkSecret, token, ctx.clock.now())
  const row = id === null ? null : await strikeById(ctx.db, id)
  if (row === null) return { found: null }
  const card = (await ctx.accountCards.many([row.target_account_id])).get(row.target_account_id)
  if (card === undefined) return { found: null }
  const strike = joinHolderStrike(row, card, ctx.clock.now())
  return splice(toJson({}), { found: splice(toJson({ account: row.target_account_id }), { strike }) })
})
