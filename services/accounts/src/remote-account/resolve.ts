/** One account by actor id or handle: what is known here, else what its server says through federation. */
import { type RemoteActor, refreshRemoteJob } from '@murmuration/contracts/accounts'
import { type FetchOutcome, fetchActor } from '@murmuration/contracts/federation'
import { Failure } from '@murmuration/contracts/kit'
import { parseHandle } from '@murmuration/text'
import type { z } from 'zod'
import type { Context } from '../context.js'
import { type AccountRow, accountsByHandles } from '../core/account.store.js'
import { accountAt } from '../core/account-address.js'
import { handleKeyOf } from '../core/handle.rules.js'
import { storeRemote } from './put.js'
import { removeRemote } from './remove.js'
import { isStale, restAfter } from './rules.js'
import { countFailure, restUntil } from './store.js'

export interface AccountQuestion {
  uri?: string | undefined
  /** `name@domain`. */
  handle?: string | undefined
  /** Ask the outside although the account is known. */
  refresh?: boolean | undefined
  /** The request is in the background. */
  behind?: boolean | undefined
}

/** The account found. `later` is true if it is missing because its server does not respond now. */
export interface Reached {
  row: AccountRow | null
  later: boolean
}
const reached = (row: AccountRow | null): Reached => ({ row, later: false })

/** The response of a server about an account. */
export interface Answer {
  outcome: z.infer<typeof FetchOutcome>
  actor: RemoteActor | null
  /** When it was asked. */
  begunAt?: Date
}

const known = async (ctx: Context, question: AccountQuestion): Promise<AccountRow | null> => {
  if (question.uri !== undefined) return accountAt(ctx, question.uri)
  const key = handleKeyOf(question.handle ?? '', ctx.site)
  return key ? ((await accountsByHandles(ctx.db, [key]))[0] ?? null) : null
}

/** False when the question can only be about somebody here. */
const mayBeRemote = (ctx: Context, question: AccountQuestion): boolean => {
  if (question.uri !== undefined)
    return (
      URL.canParse(question.uri) && ![ctx.site.webDomain, ctx.site.localDomain].includes(new URL(question.uri).host)
    )
  const domain = handleKeyOf(question.handle ?? '', ctx.site)?.domain
  return domain !== undefined && domain !== null
}

/** Keeps the stored account. Its server is not asked for a while, longer after each failure. */
const failed = async (ctx: Context, row: AccountRow): Promise<AccountRow> => {
  await ctx.db.tx(async (tx) => {
    const failures = await countFailure(tx, row.id)
    await restUntil(tx, row.id, new Date(ctx.clock.now() + restAfter(failures)))
  })
  return row
}

/** The account after a response. It is removed if its server says so. Without a response the stored account is kept. */
export const takeAnswer = async (
  ctx: Context,
  question: AccountQuestion,
  row: AccountRow | null,
  { outcome, actor, begunAt }: Answer,
): Promise<AccountRow | null> => {
  if (outcome === 'blocked') return null
  if (outcome !== 'ok' || !actor) {
    if (row === null) return null
    // Only the actor's own address says that it is gone: a handle may be taken from somebody who stays.
    if (outcome !== 'gone' || question.uri === undefined) return failed(ctx, row)
    await removeRemote(ctx, row)
    return null
  }
  return storeRemote(ctx, actor, { wasHere: row !== null && row.uri === actor.uri, begunAt }).catch((error) => {
    // Its server was blocked a moment ago, or it claims to be ours.
    if (error instanceof Failure && error.code === 'forbidden') return null
    throw error
  })
}

/** Reads the account from its server. */
const fetched = async (ctx: Context, question: AccountQuestion, row: AccountRow | null): Promise<Reached> => {
  const handle = question.uri === undefined ? parseHandle(question.handle ?? '') : null
  const asked = handle ? { handle: `${handle.username}@${handle.domain}` } : { uri: question.uri }
  const begunAt = ctx.clock.date()
  const answer = await ctx.call(fetchActor, { ...asked, behind: question.behind })
  const found = await takeAnswer(ctx, question, row, { ...answer, begunAt })
  return { row: found, later: found === null && answer.outcome === 'later' }
}

/** Has a remote profile read again that may be wrong by now; what is shown meanwhile is what is known. */
export const readBehind = (
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
 * A fresh account is returned at once. A stale one is returned at once and refreshed in the background. An unknown one, or
 * `refresh`, is fetched now. Null if no account has this name or address, or its server is blocked or does not respond.
 */
export const reachAccount = async (ctx: Context, question: AccountQuestion): Promise<Reached> => {
  const row = await known(ctx, question)
  if (row?.domain === null || !mayBeRemote(ctx, question)) return reached(row)
  if (row && !question.refresh) {
    readBehind(ctx, row)
    return reached(row)
  }
  return fetched(ctx, question, row).catch((error) => {
    if (row) return reached(row)
    throw error
  })
}

/** The same for those who need not know why there is nobody: null then. */
export const resolveAccount = async (ctx: Context, question: AccountQuestion): Promise<AccountRow | null> =>
  (await reachAccount(ctx, question)).row
