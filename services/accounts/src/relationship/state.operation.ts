/** Handlers that read block, mute and follow state between accounts for other services. */
import {
  feedRelationships,
  listRelationshipsOfViewers,
  listRelationshipsToAuthor,
  listViewerRelationships,
  mutuallyHidden,
  refusals,
} from '@murmuration/contracts/accounts'
import { olderNames } from '@murmuration/contracts/kit'
import { relationshipsOfViewer, relationshipsOfViewers, relationshipsToAuthor } from '../core/relationship/store.js'
import { handle } from '../handlers.js'
import { byViewer } from './mutual.rules.js'
import { distancesBetween, followersAmong, hiddenFrom } from './mutual.store.js'
import { refusalsBetween } from './refusal.store.js'
import { relationshipsOf } from './state.view.js'

/** Returns the relationships of several viewers to one author, for fan-out and streams. */
export const getRelationshipsToAuthor = handle(
  listRelationshipsToAuthor,
  async (ctx, _viewer, { author, viewers }) => ({
    [olderNames.relationships]: relationshipsOf(await relationshipsToAuthor(ctx.db, author, viewers, ctx.clock.date())),
  }),
)

/**
 * Returns the relationships of a viewer to several authors. Relationships are not cached, so that a block applies to
 * the next request.
 */
export const getViewerRelationships = handle(listViewerRelationships, async (ctx, _viewer, { viewer, authors }) => ({
  [olderNames.relationships]: relationshipsOf(await relationshipsOfViewer(ctx.db, viewer, authors, ctx.clock.date())),
}))

/** Returns the relationships of several viewers, each to its own authors. */
export const getRelationshipsOfViewers = handle(
  listRelationshipsOfViewers,
  async (ctx, _viewer, { asked: targetsByViewer }) => {
    const found = await relationshipsOfViewers(ctx.db, targetsByViewer, ctx.clock.date())
    return {
      [olderNames.relationships]: Object.fromEntries(
        [...found].map(([viewer, rows]) => [viewer, relationshipsOf(rows)]),
      ),
    }
  },
)

/** Returns the viewers with a block or mute towards an account in a status, and the followers of the account that the status replies to. */
export const getFeedRelationships = handle(feedRelationships, async (ctx, _viewer, { viewers, named, answers }) => {
  const [states, following] = await Promise.all([
    distancesBetween(ctx.db, viewers, named, ctx.clock.date()),
    answers === null ? [] : followersAmong(ctx.db, viewers, answers),
  ])
  return { apart: byViewer(states), following }
})

/** Returns all accounts with a block or mute towards an account in a status. Returns null if there are too many such accounts. */
export const getMutuallyHidden = handle(mutuallyHidden, async (ctx, _viewer, { named }) => {
  const rows = await hiddenFrom(ctx.db, named, ctx.clock.date())
  return { apart: rows && byViewer(rows) }
})

/** Returns the authors about whom each viewer receives no notifications. */
export const getRefusals = handle(refusals, async (ctx, _viewer, { viewers, authors }) => {
  const pairs = await refusalsBetween(ctx.db, viewers, authors, ctx.clock.date())
  const byViewer = Map.groupBy(pairs, (pair) => pair.viewer)
  return { refused: Object.fromEntries([...byViewer].map(([viewer, own]) => [viewer, own.map((one) => one.author)])) }
})
