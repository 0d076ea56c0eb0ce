/** Accept and Reject of a question of ours whether somebody wants to be in a collection, and the end of an Accept (FEP-7aa9). */

import { type Ref, typesOf } from '@murmuration/activitypub/vocabulary/loose'
import { answerCollectionItem, withdrawCollectionItem } from '@murmuration/contracts/accounts'
import { isId } from '@murmuration/contracts/kit'
import type { Context } from '../../context.js'
import { isOurs } from '../../core/authority.rules.js'
import { done, type Outcome, refused } from './outcome.js'
import { countOnce, type Received, tryLater } from './received.js'
import { inTurn } from './turn.js'

const QUESTION = /\/(?:ap\/users\/\d{1,19}|users\/[\w.-]{1,64})\/feature_requests\/(\d{1,19})$/

/** Null when something else is answered. Only who was asked may answer; accounts knows who that is. */
export const featureAnswered = async (
  ctx: Context,
  { activity, actor, letter }: Pick<Received<'Accept' | 'Reject'>, 'activity' | 'actor' | 'letter'>,
): Promise<Outcome | null> => {
  const id = activity.inner?.id ?? activity.object.id
  const item = id !== null && isOurs(id, ctx.self.ownHosts) ? QUESTION.exec(id)?.[1] : undefined
  if (item === undefined || !isId(item)) return null
  const accepts = activity.type === 'Accept'
  if (accepts && activity.result === null) return refused('no-stamp')
  // A Reject can only take away.
  const may = () => ctx.reader.budgets.mayAnswer(`item ${item}`, actor.id)
  if (accepts && !(await countOnce(ctx, letter, 'answer', may))) return refused('answered-too-often')
  const authorization = accepts ? activity.result : null
  return inTurn(ctx, { activity, letter }, { thing: `item ${item}` }, async () => {
    const { outcome } = await ctx.call(answerCollectionItem, { actor: actor.id, item, authorization })
    if (outcome === 'later') throw tryLater('the authorization cannot be read yet')
    if (outcome === 'refused') return refused('never-asked')
    if (outcome === 'unproved') return refused('no-stamp')
    return done(outcome === 'done' ? null : outcome)
  })
}

/** The end of an agreement that is known here; null when it is none. */
export const featureWithdrawn = async (
  ctx: Context,
  actor: { id: string },
  { id, node }: Ref,
): Promise<Outcome | null> => {
  // What says that it is something else is not asked about.
  const types = node === null ? [] : typesOf(node)
  if (id === null || (types.length > 0 && !types.includes('FeatureAuthorization'))) return null
  const { outcome } = await ctx.call(withdrawCollectionItem, { actor: actor.id, authorization: id })
  return outcome === 'done' ? done() : null
}
