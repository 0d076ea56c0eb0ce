/** Handlers of canonical e-mail blocks: for staff by id, for operators by address or hash. */
import {
  createCanonicalEmailBlock,
  createCanonicalEmailBlockByOperator,
  findCanonicalEmailBlocks,
  listCanonicalEmailBlocks,
  removeCanonicalEmailBlock,
  removeCanonicalEmailBlockByOperator,
  showCanonicalEmailBlock,
  testCanonicalEmailBlock,
} from '@murmuration/contracts/admin'
import { missingParameter, notFound, type Viewer } from '@murmuration/contracts/kit'
import { canonicalEmailHash } from '@murmuration/kernel'
import { addAccessRule, addressOf, removeAccessRule } from '../access-rule/index.js'
import type { Context } from '../context.js'
import { rowPage } from '../core/row-page.js'
import { handle } from '../handlers.js'
import {
  type CanonicalEmailBlockRow,
  canonicalEmailBlockByHash,
  canonicalEmailBlockById,
  canonicalEmailBlockPage,
  canonicalEmailBlocksAfter,
  deleteCanonicalEmailBlock,
  deleteCanonicalEmailBlockById,
  insertCanonicalEmailBlock,
} from './store.js'
import { canonicalEmailBlockOf } from './view.js'

const PAGE = 500
const targetOf = (row: CanonicalEmailBlockRow): string => row.canonical_email_hash

/** Canonical hash from an e-mail address or from a hash. Throws 422 if the text is neither an address nor a hash. */
const hashOf = (given: string): string => {
  const address = addressOf(given)
  return 'hash' in address ? address.hash : canonicalEmailHash(address.email)
}

const add = async (ctx: Context, by: Viewer | null, given: string) => {
  const hash = hashOf(given)
  const row = { id: ctx.ids.next(), canonical_email_hash: hash, account_id: null, created_at: ctx.clock.date() }
  const stored = await addAccessRule(ctx, by, 'canonical_email_block', hash, async (tx) =>
    (await insertCanonicalEmailBlock(tx, row)) ? row : null,
  )
  return canonicalEmailBlockOf(stored)
}

export const list = handle(listCanonicalEmailBlocks, async (ctx, _viewer, page) =>
  rowPage(listCanonicalEmailBlocks.output, await canonicalEmailBlockPage(ctx.db, page), canonicalEmailBlockOf, page),
)

export const show = handle(showCanonicalEmailBlock, async (ctx, _viewer, { id }) => {
  const row = await canonicalEmailBlockById(ctx.db, id)
  if (!row) throw notFound()
  return canonicalEmailBlockOf(row)
})

export const test = handle(testCanonicalEmailBlock, async (ctx, _viewer, { email }) => {
  if (!email) throw missingParameter('email')
  const row = await canonicalEmailBlockByHash(ctx.db, canonicalEmailHash(email))
  return row ? [canonicalEmailBlockOf(row)] : []
})

export const create = handle(createCanonicalEmailBlock, (ctx, viewer, { email, canonical_email_hash }) =>
  add(ctx, viewer, email || canonical_email_hash || ''),
)

export const remove = handle(removeCanonicalEmailBlock, async (ctx, viewer, { id }) => {
  await removeAccessRule(ctx, viewer, 'canonical_email_block', (tx) => deleteCanonicalEmailBlockById(tx, id), targetOf)
  return {}
})

export const createByOperator = handle(createCanonicalEmailBlockByOperator, (ctx, _viewer, { email }) =>
  add(ctx, null, email),
)

export const removeByOperator = handle(removeCanonicalEmailBlockByOperator, async (ctx, _viewer, { email }) => {
  const hash = hashOf(email)
  await removeAccessRule(ctx, null, 'canonical_email_block', (tx) => deleteCanonicalEmailBlock(tx, hash), targetOf)
  return {}
})

export const find = handle(findCanonicalEmailBlocks, async (ctx, _viewer, { after }) => {
  const rows = await canonicalEmailBlocksAfter(ctx.db, after, PAGE)
  const next = rows.length < PAGE ? null : (rows.at(-1)?.canonical_email_hash ?? null)
  return { blocks: rows.map(canonicalEmailBlockOf), next }
})
