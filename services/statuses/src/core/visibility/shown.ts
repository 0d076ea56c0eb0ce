/** Rules that decide which loaded statuses are shown to the viewer. Pure; statuses with missing data are not shown. */

import { cardName } from '../card/cards.js'
import { asPlaced } from '../render/hydrate.js'
import type { State } from '../render/state.js'
import type { LoadedStatus } from '../viewer/loaded-status.store.js'
import { isHidden } from './place.rules.js'
import { HELD, maySee, visibilityOf } from './rules.js'

/** Whether a status, its card and its author are loaded. */
export const isWhole = (state: State, id: string): boolean => {
  const status = state.statuses.get(id)
  return status !== undefined && state.cards.has(cardName(status)) && state.accounts.has(status.author_id)
}

/** Whether the viewer may see the status, in any place. */
export const isVisible = (state: Pick<State, 'viewerId' | 'relationships'>, status: LoadedStatus): boolean =>
  maySee(
    state.viewerId,
    {
      authorId: status.author_id,
      visibility: visibilityOf(status.visibility),
      held: status.visibility === HELD,
      authorSuspended: status.suspended,
      mentionsViewer: state.viewerId !== null && status.mentions.includes(state.viewerId),
    },
    state.relationships.get(status.author_id),
  )

/** The status and the original of a boost; null if one of them is not loaded. */
const withOriginal = (state: State, id: string): LoadedStatus[] | null => {
  const status = state.statuses.get(id)
  if (!status || status.reblog_of_id === null) return status ? [status] : null
  const original = state.statuses.get(status.reblog_of_id)
  return original ? [status, original] : null
}

/** A rule that decides whether a page shows a status. False removes the status. */
export type Rule = (state: State, id: string) => boolean

/** Whether the status and a boost's original are loaded, each with its card and author. */
export const isLoaded: Rule = (state, id) => withOriginal(state, id)?.every((one) => isWhole(state, one.id)) ?? false

/** Whether the viewer may see the status and the original of a boost. */
export const isAllowed: Rule = (state, id) => withOriginal(state, id)?.every((one) => isVisible(state, one)) ?? false

/** Whether no rule of the place, such as those for blocks and mutes, hides the status from the viewer. */
export const fitsPlace: Rule = (state, id) => {
  const status = state.statuses.get(id)
  return status !== undefined && !isHidden(state.place, state.viewerId, asPlaced(status), state.relationships)
}

/** Whether all rules allow the status. */
export const isShown: Rule = (state, id) => isLoaded(state, id) && isAllowed(state, id) && fitsPlace(state, id)
