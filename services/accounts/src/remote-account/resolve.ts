/** Finds an account by actor id or handle: the stored one, or one that federation fetches. */
import { type RemoteActor, refreshRemoteJob } from '@murmuration/contracts/accounts'
import { type FetchOutcome, fetchActor } from '@murmuration/contracts/federation'
import { Failure } from '@murmuration/contracts/kit'
import { requireLoaded } from '@murmuration/kernel'
import { parseHandle } from '@murmuration/text'
import { lookUpAddress } from '@murmuration/text/own-address'
import type { z } from 'zod'
import type { Context } from '../context.js'
import { accountAt } from '../core/account/find-by-address.js'
import { type AccountRow, accountsByHandles } from '../core/account/store.js'
import { handleKeyOf } from '../core/address/handle.rules.js'
import { linkMovesHere, storeRemote } from './put.js'
import { removeRemote } from './remove.js'
import { isStale, refetchDelay } from './rules.js'
import { countFailure, setFetchAfter } from './store.js'

export interface AccountQuestion {
  uri?: string | undefined
  /** Handle of the account: `name@domain`. */
  handle?: string | undefined
  /** True: the account is fetched even if it is stored. */
  refresh?: boolean | undefined
  /** True: the fetch has low priority, because no user waits for it. */
  behind?: boolean | undefined
  /** Address of the account as the target of a move (see `Reading`). It may lead to an account of another server. */
  awaitedAt?: string | undefined
}

/**
 * The account that was found, or null. `later`: true if no account was found because its server does not respond now.
 * `limited`: true if the cause is a rate limit of this server.
 */
export interface LookupResult {
  row: AccountRow | null
  later: boolean
  limited?: boolean
}
const reached = (row: AccountRow | null): LookupResult => ({ row, later: false })

/** The response of a remote server to the fetch of an account. */
export interface FetchResult {
  outcome: z.infer<typeof FetchOutcome>
  actor: RemoteActor | null
  /** Time when the fetch of the account began. */
  begunAt?: Date
}

const known = async (ctx: Context, question: AccountQuestion): Promise<AccountRow | null> => {
  if (question.uri !== undefined) return accountAt(ctx, question.uri)
  const key = handleKeyOf(question.handle ?? '', ctx.site)
  return key ? ((await accountsByHandles(ctx.db, [key]))[0] ?? null) : null
}

/** Whether an actor id or handle may belong to a remote account. */
const mayBeRemote = (ctx: Context, question: AccountQuestion): boolean => {
  if (question.uri !== undefined) return URL.canParse(question.uri) && !ctx.ownHosts.has(new URL(question.uri).host)
  const domain = handleKeyOf(question.handle ?? '', ctx.site)?.domain
  return domain !== undefined && domain !== null
}

/** Keeps the stored account after a failed fetch. The account is not fetched again for a time that grows with each failure. */
const failed = async (ctx: Context, row: AccountRow): Promise<AccountRow> => {
  await ctx.db.tx(async (tx) => {
    const failures = await countFailure(tx, row.id)
    await setFetchAfter(tx, row.id, new Date(ctx.clock.now() + refetchDelay(failures)))
  })
  return row
}

/**
 * Applies the response to a fetch, and returns the account. The account is removed if its server reports it as deleted.
 * After a failed fetch, the stored account stays.
 */
export const applyFetchResult = async (
  ctx: Context,
  question: AccountQuestion,
  row: AccountRow | null,
  { outcome, actor, begunAt }: FetchResult,
): Promise<AccountRow | null> => {
  if (outcome === 'blocked') return null
  if (outcome !== 'ok' || !actor) {
    if (row === null) return null
    // Only a fetch of the actor id proves that the actor is gone. A handle or page may be unassigned while the actor exists.
    if (outcome !== 'gone' || question.uri !== row.uri) return failed(ctx, row)
    await removeRemote(ctx, row)
    return null
  }
  return storeRemote(ctx, actor, {
    wasHere: row !== null && row.uri === actor.uri,
    begunAt,
    awaitedAt: question.awaitedAt,
  }).catch((error) => {
    // The server of the account was blocked during the fetch, or the actor document claims to be of a local account.
    if (error instanceof Failure && error.code === 'forbidden') return null
    throw error
  })
}

/**
 * Returns the local account to which the address of the target of a move leads, after linking the accounts that moved
 * there. Returns null for all other fetches. A server cannot turn its account into a local one by a redirect.
 */
const movedHere = async (
  ctx: Context,
  { awaitedAt }: AccountQuestion,
  local: string | undefined,
): Promise<AccountRow | null> => {
  const row = awaitedAt === undefined || local === undefined ? null : await accountAt(ctx, local)
  if (awaitedAt === undefined || row?.domain !== null) return null
  await linkMovesHere(ctx, row, awaitedAt)
  return row
}

/** Fetches an account from its server, and applies the response. */
const fetched = async (ctx: Context, question: AccountQuestion, row: AccountRow | null): Promise<LookupResult> => {
  // An account is stored only once the policy is loaded. Until then, a request to its server would be in vain.
  requireLoaded(ctx.policy)
  const { uri } = question
  const handle = uri === undefined ? parseHandle(question.handle ?? '') : null
  // The id of a stored account is fetched unchanged, because a response from another address proves nothing about it.
  const address = uri === undefined || uri === row?.uri ? uri : lookUpAddress(ctx, uri)
  const target = handle ? { handle: `${handle.username}@${handle.domain}` } : { uri: address }
  const begunAt = ctx.clock.date()
  const result = await ctx.call(fetchActor, {
    ...target,
    behind: question.behind,
    ...(question.awaitedAt && { elsewhere: true }),
  })
  const here = await movedHere(ctx, question, result.local)
  if (here) return reached(here)
  const found = await applyFetchResult(ctx, { ...question, uri: address }, row, { ...result, begunAt })
  const later = found === null && result.outcome === 'later'
  return { row: found, later, ...(later && result.limited && { limited: true }) }
}

/** Queues a fetch of a remote profile that may be outdated. The caller continues with the stored profile. */
export const refreshInBackground = (
  ctx: Pick<Context, 'queues' | 'clock' | 'log'>,
  row: Pick<AccountRow, 'uri' | 'domain' | 'fetched_at' | 'fetch_after'>,
  old: 'day' | 'week' = 'day',
): void => {
  if (row.domain === null || !isStale(row, ctx.clock.now(), old)) return
  ctx.queues
    .push(refreshRemoteJob, { id: row.uri, data: { uri: row.uri } })
    .catch((error) => ctx.log.warn({ error }, 'a profile was not queued for reading'))
}

/**
 * Finds an account. Null if no account has this actor id or handle, or its server is blocked or does not respond.
 *
 * - A stored account is returned immediately. For an outdated profile, a fetch is queued.
 * - An unknown account is fetched now, and a stored one if `refresh` is set.
 */
export const lookUpAccount = async (ctx: Context, question: AccountQuestion): Promise<LookupResult> => {
  const row = await known(ctx, question)
  if (row?.domain === null || !mayBeRemote(ctx, question)) return reached(row)
  if (row && !question.refresh) {
    refreshInBackground(ctx, row)
    return reached(row)
  }
  return fetched(ctx, question, row).catch((error) => {
    if (row) return reached(row)
    throw error
  })
}

/** Finds an account like `lookUpAccount`. Null if none is found, whatever the reason. */
export const resolveAccount = async (ctx: Context, question: AccountQuestion): Promise<AccountRow | null> =>
  (await lookUpAccount(ctx, question)).row
