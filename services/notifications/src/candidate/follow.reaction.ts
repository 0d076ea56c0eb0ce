/** Event handlers for follows and follow requests. */
import { followCreated, followRemoved, followRequested, followRequestRemoved } from '@murmuration/contracts/accounts'
import { react } from '../handlers.js'
import { sources } from './candidate.js'
import { notify } from './notify.js'
import { undo } from './undo.js'

/** Notifies a local account of a new follower. The follow may result from an accepted follow request. */
export const onFollowCreated = react(followCreated, 'on-follow-created', async (ctx, e) => {
  if (!e.toLocal) return
  await notify(ctx, e, e.from, [
    { type: 'follow', recipients: [e.to], source: sources.follow(e.id), status: null, at: e.at },
  ])
})

/** Removes the notification about a follow after the follow ended. */
export const onFollowRemoved = react(followRemoved, 'on-follow-removed', async (ctx, e) => {
  if (e.toLocal) await undo(ctx, sources.follow(e.id))
})

/** Notifies an account of a follow request. */
export const onFollowRequestCreated = react(followRequested, 'on-follow-request-created', async (ctx, e) => {
  if (!e.toLocal) return
  await notify(ctx, e, e.from, [
    { type: 'follow_request', recipients: [e.to], source: sources.followRequest(e.id), status: null, at: e.at },
  ])
})

/** Removes the notification about a follow request after the request was accepted, rejected or cancelled. */
export const onFollowRequestRemoved = react(followRequestRemoved, 'on-follow-request-removed', async (ctx, e) => {
  if (e.toLocal) await undo(ctx, sources.followRequest(e.id))
})
