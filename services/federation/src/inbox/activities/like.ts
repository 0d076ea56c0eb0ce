/** Like: a remote account favourites a local status. An emoji reaction counts as a Like. */
import { applyRemoteInteraction } from '@murmuration/contracts/statuses'
import { requireLocalObject } from '../object-authority.rules.js'
import { recordInteracted, recordTooLate } from './interacted.js'
import { done, ignored } from './outcome.js'
import type { Handler } from './received.js'
import { undoneBefore, unlessNewer } from './undo-state.js'

export const like: Handler<'Like'> = async (ctx, received) => {
  const { activity, actor } = received
  const authorized = requireLocalObject(activity.object, ctx.self.ownHosts)
  if (!authorized.ok) return ignored(authorized.reason)
  const before = await undoneBefore(ctx, activity)
  if (before === 'undone') return ignored('undone-before')
  const reaction = activity.reaction && {
    name: activity.reaction.content,
    emoji: activity.reaction.emoji && {
      shortcode: activity.reaction.emoji.shortcode,
      url: activity.reaction.emoji.url,
      updated: activity.reaction.emoji.updated,
    },
  }
  const { outcome } = await unlessNewer(ctx, received, (how) =>
    ctx.call(applyRemoteInteraction, {
      what: 'favourite',
      actor: actor.id,
      object: activity.object,
      uri: activity.id,
      again: before === 'again',
      ...(reaction && { reaction }),
      ...how,
    }),
  )
  if (outcome === 'unknown') await recordTooLate(ctx, actor, [activity.object])
  // The outcome for a hidden status is the same as for an absent status, so that it does not reveal whether the status
  // exists.
  if (outcome === 'unknown' || outcome === 'refused') return ignored('unknown-object')
  await recordInteracted(ctx, actor, [activity.object])
  return done(outcome === 'done' ? null : outcome)
}
