/** Handlers of IP blocks: for staff by id, for operators by range. */
import {
  createIpBlock,
  createIpBlockByOperator,
  findIpBlocks,
  listIpBlocks,
  removeIpBlock,
  removeIpBlockByOperator,
  showIpBlock,
  updateIpBlock as updateIpBlockOperation,
} from '@murmuration/contracts/admin'
import { notFound, type Viewer } from '@murmuration/contracts/kit'
import { addAccessRule, changeAccessRule, rangeOf, removeAccessRule } from '../access-rule/index.js'
import type { Context } from '../context.js'
import { rowPage } from '../core/row-page.js'
import { handle } from '../handlers.js'
import { secondsOf, severityOf } from './rules.js'
import {
  deleteIpBlock,
  deleteIpBlockById,
  type IpBlockRow,
  insertIpBlock,
  ipBlockById,
  ipBlockPage,
  ipBlocksAfter,
  lockIpBlock,
  updateIpBlock,
} from './store.js'
import { ipBlockOf } from './view.js'

const PAGE = 500
const targetOf = (row: IpBlockRow): string => row.ip

const expiryOf = (ctx: Context, seconds: number | null): Date | null =>
  seconds === null ? null : new Date(ctx.clock.now() + seconds * 1_000)

const add = async (
  ctx: Context,
  by: Viewer | null,
  given: Pick<IpBlockRow, 'ip' | 'severity' | 'comment'> & { expires_in: number | null },
) => {
  const row = {
    id: ctx.ids.next(),
    ip: rangeOf(given.ip),
    severity: given.severity,
    comment: given.comment,
    expires_at: expiryOf(ctx, given.expires_in),
    created_at: ctx.clock.date(),
  }
  return ipBlockOf(await addAccessRule(ctx, by, 'ip_block', row.ip, (tx) => insertIpBlock(tx, row)))
}

export const list = handle(listIpBlocks, async (ctx, _viewer, page) =>
  rowPage(listIpBlocks.output, await ipBlockPage(ctx.db, page), ipBlockOf, page),
)

export const show = handle(showIpBlock, async (ctx, _viewer, { id }) => {
  const row = await ipBlockById(ctx.db, id)
  if (!row) throw notFound()
  return ipBlockOf(row)
})

export const create = handle(createIpBlock, (ctx, viewer, input) =>
  add(ctx, viewer, {
    ip: input.ip ?? '',
    severity: severityOf(input.severity),
    comment: input.comment ?? '',
    expires_in: secondsOf(input.expires_in),
  }),
)

export const update = handle(updateIpBlockOperation, async (ctx, viewer, { id, ip, severity, comment, expires_in }) => {
  const changed = await changeAccessRule(
    ctx,
    viewer,
    'ip_block',
    (tx) => lockIpBlock(tx, id),
    async (tx, before) => {
      const row = await updateIpBlock(tx, {
        ...before,
        ...(ip === undefined ? {} : { ip: rangeOf(ip ?? '') }),
        ...(severity === undefined ? {} : { severity: severityOf(severity) }),
        ...(comment === undefined ? {} : { comment: comment ?? '' }),
        ...(expires_in === undefined ? {} : { expires_at: expiryOf(ctx, secondsOf(expires_in)) }),
      })
      return row && { row, target: row.ip }
    },
  )
  return ipBlockOf(changed)
})

export const remove = handle(removeIpBlock, async (ctx, viewer, { id }) => {
  await removeAccessRule(ctx, viewer, 'ip_block', (tx) => deleteIpBlockById(tx, id), targetOf)
  return {}
})

export const createByOperator = handle(createIpBlockByOperator, (ctx, _viewer, input) => add(ctx, null, input))

export const removeByOperator = handle(removeIpBlockByOperator, async (ctx, _viewer, { ip }) => {
  const range = rangeOf(ip)
  await removeAccessRule(ctx, null, 'ip_block', (tx) => deleteIpBlock(tx, range), targetOf)
  return {}
})

export const find = handle(findIpBlocks, async (ctx, _viewer, { after }) => {
  const rows = await ipBlocksAfter(ctx.db, after === '' ? null : rangeOf(after), PAGE)
  return { blocks: rows.map(ipBlockOf), next: rows.length < PAGE ? null : (rows.at(-1)?.ip ?? null) }
})
