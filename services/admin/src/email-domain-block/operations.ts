/** Handlers of e-mail domain blocks: for staff by id, for operators by domain. */
import { refusedSignUpHistory } from '@murmuration/contracts/accounts'
import {
  createEmailDomainBlock,
  createEmailDomainBlockByOperator,
  findEmailDomainBlocks,
  listEmailDomainBlocks,
  removeEmailDomainBlock,
  removeEmailDomainBlockByOperator,
  showEmailDomainBlock,
} from '@murmuration/contracts/admin'
import type { AdminEmailDomainBlock } from '@murmuration/contracts/entities'
import { notFound, type Viewer } from '@murmuration/contracts/kit'
import { addAccessRule, providerOf, removeAccessRule } from '../access-rule/index.js'
import type { Context } from '../context.js'
import { rowPage } from '../core/row-page.js'
import { handle } from '../handlers.js'
import {
  deleteEmailDomainBlock,
  deleteEmailDomainBlockById,
  type EmailDomainBlockRow,
  emailDomainBlockById,
  emailDomainBlockPage,
  emailDomainBlocksAfter,
  insertEmailDomainBlock,
} from './store.js'
import { emailDomainBlockOf, emailDomainRuleOf } from './view.js'

const PAGE = 500
const targetOf = (row: EmailDomainBlockRow): string => row.domain

/** E-mail domain blocks, with the numbers of refused sign-ups from one request to the accounts service. */
const withHistory = async (ctx: Context, rows: readonly EmailDomainBlockRow[]): Promise<AdminEmailDomainBlock[]> => {
  if (rows.length === 0) return []
  const { histories } = await ctx.call(refusedSignUpHistory, { domains: rows.map((row) => row.domain) })
  return rows.map((row, i) => emailDomainBlockOf(row, histories[i] ?? []))
}

const add = (
  ctx: Context,
  by: Viewer | null,
  given: Pick<EmailDomainBlockRow, 'domain' | 'allow_with_approval'>,
): Promise<EmailDomainBlockRow> => {
  const row = { ...given, domain: providerOf(given.domain), id: ctx.ids.next(), created_at: ctx.clock.date() }
  return addAccessRule(ctx, by, 'email_domain_block', row.domain, async (tx) =>
    (await insertEmailDomainBlock(tx, row)) ? row : null,
  )
}

export const list = handle(listEmailDomainBlocks, async (ctx, _viewer, page) => {
  const rows = await emailDomainBlockPage(ctx.db, page)
  return rowPage(listEmailDomainBlocks.output, await withHistory(ctx, rows), (block) => block, page)
})

export const show = handle(showEmailDomainBlock, async (ctx, _viewer, { id }) => {
  const row = await emailDomainBlockById(ctx.db, id)
  const [block] = row ? await withHistory(ctx, [row]) : []
  if (!block) throw notFound()
  return block
})

export const create = handle(createEmailDomainBlock, async (ctx, viewer, { domain, allow_with_approval }) => {
  const row = await add(ctx, viewer, { domain: domain ?? '', allow_with_approval })
  const [block] = await withHistory(ctx, [row])
  return block ?? emailDomainBlockOf(row, [])
})

export const remove = handle(removeEmailDomainBlock, async (ctx, viewer, { id }) => {
  await removeAccessRule(ctx, viewer, 'email_domain_block', (tx) => deleteEmailDomainBlockById(tx, id), targetOf)
  return {}
})

export const createByOperator = handle(createEmailDomainBlockByOperator, async (ctx, _viewer, input) =>
  emailDomainRuleOf(await add(ctx, null, input)),
)

export const removeByOperator = handle(removeEmailDomainBlockByOperator, async (ctx, _viewer, { domain: given }) => {
  const domain = providerOf(given)
  await removeAccessRule(ctx, null, 'email_domain_block', (tx) => deleteEmailDomainBlock(tx, domain), targetOf)
  return {}
})

export const find = handle(findEmailDomainBlocks, async (ctx, _viewer, { after }) => {
  const rows = await emailDomainBlocksAfter(ctx.db, after, PAGE)
  return { blocks: rows.map(emailDomainRuleOf), next: rows.length < PAGE ? null : (rows.at(-1)?.domain ?? null) }
})
