/** Operations on username blocks: for staff by id, for operators by name. */
import {
  createUsernameBlock,
  createUsernameBlockByOperator,
  findUsernameBlocks,
  listUsernameBlocks,
  removeUsernameBlock,
  removeUsernameBlockByOperator,
  showUsernameBlock,
  updateUsernameBlock as updateUsernameBlockOperation,
} from '@murmuration/contracts/admin'
import { notFound, type Viewer } from '@murmuration/contracts/kit'
import { addAccessRule, changeAccessRule, nameOf, removeAccessRule } from '../access-rule/index.js'
import type { Context } from '../context.js'
import { rowPage } from '../core/row-page.js'
import { handle } from '../handlers.js'
import {
  deleteUsernameBlock,
  deleteUsernameBlockById,
  insertUsernameBlock,
  lockUsernameBlock,
  type UsernameBlockRow,
  updateUsernameBlock,
  usernameBlockById,
  usernameBlockPage,
  usernameBlocksAfter,
} from './store.js'
import { usernameRuleOf } from './view.js'

const PAGE = 500
const targetOf = (row: UsernameBlockRow): string => row.username

const add = async (
  ctx: Context,
  by: Viewer | null,
  given: Pick<UsernameBlockRow, 'username' | 'exact' | 'allow_with_approval'>,
) => {
  const row = { ...given, username: nameOf(given.username), id: ctx.ids.next(), created_at: ctx.clock.date() }
  const stored = await addAccessRule(ctx, by, 'username_block', row.username, async (tx) =>
    (await insertUsernameBlock(tx, row)) ? row : null,
  )
  return usernameRuleOf(stored)
}

export const list = handle(listUsernameBlocks, async (ctx, _viewer, page) =>
  rowPage(listUsernameBlocks.output, await usernameBlockPage(ctx.db, page), usernameRuleOf, page),
)

export const show = handle(showUsernameBlock, async (ctx, _viewer, { id }) => {
  const row = await usernameBlockById(ctx.db, id)
  if (!row) throw notFound()
  return usernameRuleOf(row)
})

export const create = handle(createUsernameBlock, (ctx, viewer, { username, exact, allow_with_approval }) =>
  add(ctx, viewer, { username: username ?? '', exact, allow_with_approval }),
)

export const update = handle(
  updateUsernameBlockOperation,
  async (ctx, viewer, { id, username, exact, allow_with_approval }) => {
    const changed = await changeAccessRule(
      ctx,
      viewer,
      'username_block',
      (tx) => lockUsernameBlock(tx, id),
      async (tx, before) => {
        const row = await updateUsernameBlock(tx, {
          ...before,
          ...(username === undefined ? {} : { username: nameOf(username ?? '') }),
          exact: exact ?? before.exact,
          allow_with_approval: allow_with_approval ?? before.allow_with_approval,
        })
        return row && { row, target: row.username }
      },
    )
    return usernameRuleOf(changed)
  },
)

export const remove = handle(removeUsernameBlock, async (ctx, viewer, { id }) => {
  await removeAccessRule(ctx, viewer, 'username_block', (tx) => deleteUsernameBlockById(tx, id), targetOf)
  return {}
})

export const createByOperator = handle(createUsernameBlockByOperator, (ctx, _viewer, input) => add(ctx, null, input))

export const removeByOperator = handle(removeUsernameBlockByOperator, async (ctx, _viewer, { username: given }) => {
  const username = nameOf(given)
  await removeAccessRule(ctx, null, 'username_block', (tx) => deleteUsernameBlock(tx, username), targetOf)
  return {}
})

export const find = handle(findUsernameBlocks, async (ctx, _viewer, { after }) => {
  const rows = await usernameBlocksAfter(ctx.db, after, PAGE)
  return { blocks: rows.map(usernameRuleOf), next: rows.length < PAGE ? null : (rows.at(-1)?.username ?? null) }
})
