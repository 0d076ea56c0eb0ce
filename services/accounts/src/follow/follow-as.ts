/**
 * Follows an account for a user: begins a follow, sends a follow request, or changes the settings of a follow. The API
 * and imports call it, in their transactions.
 */
import { errorText, fail, invalidField, notFound } from '@murmuration/contracts/kit'
import type { Tx } from '@murmuration/db'
import type { Context } from '../context.js'
import { type AccountRow, accountsByIds } from '../core/account/store.js'
import { updateChoices } from '../core/follow/store.js'
import { lockPair } from '../core/lock.store.js'
import { relationshipsOfViewer } from '../core/relationship/store.js'
import { beginFollow, requestFollow } from './begin.js'
import { DEFAULT_FOLLOW_OPTIONS, type FollowOutcome, followOutcome, maxFollows } from './rules.js'

export interface FollowOptions {
  reblogs?: boolean | undefined
  notify?: boolean | undefined
  languages?: string[] | null | undefined
}

/** Throws if an account with this number of followers may not follow `follows` accounts. */
const checkLimit = (follows: number, followers: number): void => {
  const most = maxFollows(followers)
  if (follows > most) throw invalidField(errorText('You cannot follow more than {most} people', { most }))
}

/** Follows the account `id`. Throws the error of the API if this is not allowed. */
export const followAs = async (
  ctx: Pick<Context, 'announce' | 'invalidations' | 'ids' | 'clock'>,
  tx: Tx,
  viewer: string,
  id: string,
  options: FollowOptions,
): Promise<{ outcome: FollowOutcome; to: AccountRow }> => {
  if (id === viewer) throw fail('forbidden', 'Following your own account is not allowed')
  const pair = { from: viewer, to: id }
  await lockPair(tx, viewer, id)
  const [rows, [relationship]] = [
    await accountsByIds(tx, [viewer, id]),
    await relationshipsOfViewer(tx, viewer, [id], ctx.clock.date()),
  ]
  const from = rows.find((row) => row.id === viewer)
  const to = rows.find((row) => row.id === id)
  if (!from) throw notFound()
  const outcome = followOutcome(from, to ?? null, relationship ?? null)
  if (!to || outcome === 'hidden') throw notFound()
  if (outcome === 'refused') throw fail('forbidden', 'This action is not allowed')

  const choices = {
    reblogs: options.reblogs ?? DEFAULT_FOLLOW_OPTIONS.reblogs,
    notify: options.notify ?? DEFAULT_FOLLOW_OPTIONS.notify,
    languages: options.languages ?? DEFAULT_FOLLOW_OPTIONS.languages,
  }
  if (outcome === 'change-follow') await updateChoices(tx, 'follows', pair, options)
  if (outcome === 'change-request') await updateChoices(tx, 'follow_requests', pair, options)
  if (outcome === 'request') {
    // Only follows count. The follow of an accepted request is created also above the limit.
    checkLimit(from.following_count + 1, from.followers_count)
    await requestFollow(ctx, tx, from, to, choices)
  }
  if (outcome === 'follow') {
    const counters = (await beginFollow(ctx, tx, from, to, choices))?.get(from.id)
    if (counters) checkLimit(counters.following_count, counters.followers_count)
  }
  return { outcome, to }
}
