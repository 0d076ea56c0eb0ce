/** Resolves addresses of this server to accounts and statuses, and decides which requesting actors may see them. */
import {
  type AccountRecord,
  type AccountRelationship,
  accountRecords,
  type LocalActor,
  listRelationshipsToAuthor,
  listViewerRelationships,
  localActors,
} from '@murmuration/contracts/accounts'
import { fail, isId, notFound, olderNames } from '@murmuration/contracts/kit'
import { type NoteData, type StatusRecord, statusRecords, statusSources } from '@murmuration/contracts/statuses'
import type { Context } from '../../context.js'
import { isGone } from '../actor/gone.store.js'
import { withoutFurtherMentions } from '../note/limited.js'
import { type AccountsById, accountIdsOf } from '../note/view.js'
import type { Requester } from '../signature/requester.js'
import { INSTANCE_ACCOUNT } from './self.js'

export type LocalContext = Pick<Context, 'call' | 'db'>

/**
 * The local account of the `id` or `username` in a path. Throws `not_found` for an unknown account, and `gone` for a
 * deleted one.
 */
export const accountAtPath = async (
  ctx: LocalContext,
  path: { id: string | null; username: string | null },
): Promise<LocalActor> => {
  const { id, username } = path
  if (id !== null && !isId(id)) throw notFound()
  const { actors } = await ctx.call(localActors, id !== null ? { ids: [id] } : { usernames: [username ?? ''] })
  const [account] = actors
  if (account !== undefined && account.domain === null && account.id !== INSTANCE_ACCOUNT) {
    if (!account.usable && !account.suspended) throw notFound()
    return account
  }
  if (id !== null && (await isGone(ctx.db, id))) throw fail('gone', 'Gone')
  throw notFound()
}

/** Like `accountAtPath`, but throws `forbidden` for a suspended account, whose collections and statuses are hidden. */
export const activeAccount = async (ctx: LocalContext, path: { id: string | null; username: string | null }) => {
  const account = await accountAtPath(ctx, path)
  if (account.suspended) throw fail('forbidden', 'This account is suspended')
  return account
}

/**
 * Relationship of the local account `account` to the requesting actor. Null for an anonymous client, or if the accounts
 * service returns no relationship.
 */
export const relationshipTo = async (
  ctx: LocalContext,
  account: string,
  requester: Requester,
): Promise<AccountRelationship | null> => {
  if (requester === null) return null
  const { [olderNames.relationships]: relationships } = await ctx.call(listViewerRelationships, {
    viewer: account,
    authors: [requester.accountId],
  })
  return relationships[requester.accountId] ?? null
}

/** True when the account blocks the requesting actor or its server. */
export const isBlockedBy = (relationship: AccountRelationship | null): boolean =>
  relationship !== null && (relationship.blocking || relationship.domain_blocking)

/**
 * Accounts among `accounts` that block the requesting actor or its server. An account whose relationship to the
 * requesting actor is unknown counts as blocking.
 */
export const accountsBlocking = async (
  ctx: LocalContext,
  accounts: readonly string[],
  requester: Requester,
): Promise<Set<string>> => {
  if (requester === null || accounts.length === 0) return new Set()
  const { [olderNames.relationships]: relationships } = await ctx.call(listRelationshipsToAuthor, {
    author: requester.accountId,
    viewers: [...accounts],
  })
  return new Set(accounts.filter((id) => !relationships[id] || isBlockedBy(relationships[id])))
}

const isOpen = (status: StatusRecord): boolean => status.visibility === 'public' || status.visibility === 'unlisted'

/**
 * True if the requesting actor may see a local status.
 *
 * | Client | May see |
 * |---|---|
 * | anonymous, or relationship unknown | public and unlisted |
 * | actor that the author blocks, or its server | none |
 * | any other actor | public and unlisted statuses, statuses that mention the actor, and followers-only statuses if the actor follows the author |
 */
const mayHave = (status: StatusRecord, requester: Requester, relationship: AccountRelationship | null): boolean => {
  if (requester === null || relationship === null) return isOpen(status)
  if (isBlockedBy(relationship)) return false
  const isFollower = relationship.followed_by && status.visibility === 'private'
  return isOpen(status) || isFollower || status.mentions.includes(requester.accountId)
}

/**
 * A status of this account that the client may see. Throws `not_found` for absent and hidden statuses alike, after the
 * same calls, so that the response time does not reveal which of the two it is.
 */
export const visibleStatus = async (
  ctx: LocalContext,
  account: LocalActor,
  id: string | null,
  requester: Requester,
): Promise<StatusRecord> => {
  const [relationship, { records }] = await Promise.all([
    relationshipTo(ctx, account.id, requester),
    ctx.call(statusRecords, { ids: id !== null && isId(id) ? [id] : [] }),
  ])
  const [status] = records
  const isTheirs = status?.local && status.author === account.id && !status.deleted
  if (!status || !isTheirs || !mayHave(status, requester, relationship)) throw notFound()
  return status
}

type Sources = { sources: NoteData[]; accounts: AccountsById }

/** Statuses in the order of `ids`, with their accounts. Deleted statuses are left out; no mention is removed. */
export const wholeSourcesOf = async (ctx: LocalContext, ids: readonly string[]): Promise<Sources> => {
  if (ids.length === 0) return { sources: [], accounts: new Map() }
  const { sources } = await ctx.call(statusSources, { ids: [...ids] })
  const { records } = await ctx.call(accountRecords, { ids: accountIdsOf(sources) })
  const byId = new Map(sources.map((it) => [it.id, it]))
  return {
    sources: ids.map((id) => byId.get(id)).filter((it) => it !== undefined),
    accounts: new Map(records.map((it: AccountRecord) => [it.id, it])),
  }
}

/** Like `wholeSourcesOf`, for other servers: without the mentions that limited authors may not make. */
export const sourcesOf = async (ctx: LocalContext, ids: readonly string[]): Promise<Sources> => {
  const { sources, accounts } = await wholeSourcesOf(ctx, ids)
  return { sources: await withoutFurtherMentions(ctx, sources, accounts), accounts }
}
