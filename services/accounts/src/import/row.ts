/** Imports one row: resolves the account that it names, and follows, blocks, mutes or lists it for the user. */
import { listChanged } from '@murmuration/contracts/accounts'
import { defectIn, isRetryable } from '@murmuration/contracts/kit'
import { limits } from '@murmuration/contracts/limits'
import type { Tx } from '@murmuration/db'
import { booleanIn } from '@murmuration/text/table-text'
import { beginBlock } from '../block/index.js'
import type { Context } from '../context.js'
import { type AccountRow, accountById } from '../core/account/store.js'
import { lockName, lockPair } from '../core/lock.store.js'
import { chosenLanguages } from '../core/preference/language.rules.js'
import { languagesIn } from '../core/table.rules.js'
import { blockDomainAs } from '../domain-block/index.js'
import { followAs } from '../follow/index.js'
import { countLists, insertList, insertMembers, listByTitle, mayBeMembers } from '../list/index.js'
import { muteAs } from '../mute/index.js'
import { lookUpAccount } from '../remote-account/index.js'
import type { ImportRow, RowOutcome, WaitingRow } from './store.js'

type Step = (ctx: Context, viewer: string, target: AccountRow, cells: readonly string[]) => Promise<unknown>

// A cell with an unknown word counts as empty. The options of an existing follow then stay as they are.
const follow: Step = (ctx, viewer, target, [, reblogs, notify, languages]) =>
  ctx.db.tx((tx) =>
    followAs(ctx, tx, viewer, target.id, {
      reblogs: booleanIn(reblogs),
      notify: booleanIn(notify),
      languages: chosenLanguages(languagesIn(languages)),
    }),
  )

const block: Step = (ctx, viewer, target) =>
  ctx.db.tx(async (tx) => {
    await lockPair(tx, viewer, target.id)
    const self = await accountById(tx, viewer)
    if (self) await beginBlock(ctx, tx, self, target)
  })

const mute: Step = (ctx, viewer, target, [, hide]) =>
  ctx.db.tx((tx) => muteAs(ctx, tx, viewer, target, { notifications: booleanIn(hide) ?? true, seconds: 0 }))

/** Id of the user's list with this title, which is created if absent. Null if the limit of lists is reached. */
const listFor = async (ctx: Context, tx: Tx, viewer: string, title: string): Promise<string | null> => {
  await lockName(tx, `lists ${viewer}`)
  const known = await listByTitle(tx, viewer, title)
  if (known) return known.id
  if ((await countLists(tx, viewer)) >= limits.accounts.lists) return null
  const id = ctx.ids.next()
  await insertList(tx, viewer, { id, title, replies_policy: 'list', exclusive: false }, ctx.clock.date())
  return id
}

/** Adds an account to a list. Because members must be followed, the account is followed first. */
const putOnList: Step = async (ctx, viewer, target, [title = '']) => {
  if (target.id !== viewer && (await mayBeMembers(ctx.db, viewer, [target.id])).length === 0)
    await ctx.db.tx((tx) => followAs(ctx, tx, viewer, target.id, {}))
  return ctx.db.tx(async (tx) => {
    await lockPair(tx, viewer, target.id)
    const list = await listFor(ctx, tx, viewer, title)
    const allowed = await mayBeMembers(tx, viewer, [target.id])
    if (list === null || allowed.length === 0) return false
    const added = await insertMembers(tx, list, viewer, allowed)
    if (added.length) await ctx.announce(tx, listChanged, { id: list, owner: viewer })
    return true
  })
}

const steps = { follows: follow, blocks: block, mutes: mute, lists: putOnList }

const apply = async (
  ctx: Context,
  { account_id: viewer, kind }: ImportRow,
  { cells, key }: WaitingRow,
): Promise<RowOutcome['outcome']> => {
  if (key === '') return 'failed'
  if (kind === 'domain_blocks') {
    await ctx.db.tx((tx) => blockDomainAs(ctx, tx, viewer, key))
    return 'imported'
  }
  if (kind === 'bookmarks' || kind === 'filters') return 'failed'
  const handle = kind === 'lists' ? (key.split('\n')[1] ?? '') : key
  const { row: target, later, limited } = await lookUpAccount(ctx, { handle, behind: true })
  if (later) return limited ? 'limited' : 'again'
  if (!target?.usable) return 'failed'
  return (await steps[kind](ctx, viewer, target, cells)) === false ? 'failed' : 'imported'
}

/** Imports one row and returns its outcome. A temporary error has the outcome `again`. */
export const importRow = async (ctx: Context, row: ImportRow, one: WaitingRow): Promise<RowOutcome> => {
  try {
    return { n: one.n, outcome: await apply(ctx, row, one) }
  } catch (error) {
    const defect = defectIn(error)
    if (defect !== null) throw defect
    return { n: one.n, outcome: isRetryable(error) ? 'again' : 'failed' }
  }
}
