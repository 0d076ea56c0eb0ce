/** Rules that decide which loaded statuses are shown to the viewer. Pure; statuses with missing data are not shown. */

import { cardName } from '../card/cards.js'
import { placeFacts } from '../render/hydrate.js'
import type { State } from '../render/state.js'
import type { Fact } from '../viewer/fact.store.js'
import { isHidden } from './place.rules.js'
import { HELD, maySee, visibilityOf } from './rules.js'

/** Whether facts, card and author of a status are loaded. */
export const isWhole = (state: State, id: string): boolean => {
  const fact = state.facts.get(id)
  return fact !== undefined && state.cards.has(cardName(fact)) && state.accounts.has(fact.author_id)
}

/** Whether the viewer may see the status, in any place. */
export const isVisible = (state: Pick<State, 'viewerId' | 'relationships'>, fact: Fact): boolean =>
  maySee(
    state.viewerId,
    {
      authorId: fact.author_id,
      visibility: visibilityOf(fact.visibility),
      held: fact.visibility === HELD,
      authorSuspended: fact.suspended,
      mentionsViewer: state.viewerId !== null && fact.mentions.includes(state.viewerId),
    },
    state.relationships.get(fact.author_id),
  )

/** The status and the original of a boost; null if one of them is not loaded. */
const withOriginal = (state: State, id: string): Fact[] | null => {
  const fact = state.facts.get(id)
  if (!fact || fact.reblog_of_id === null) return fact ? [fact] : null
  const original = state.facts.get(fact.reblog_of_id)
  return original ? [fact, original] : null
}

/** A rule that decides whether a page shows a status. False removes the status. */
export type Rule = (state: State, id: string) => boolean

/** Whether facts, card and author of the status and of a boost's original are loaded. */
export const isLoaded: Rule = (state, id) => withOriginal(state, id)?.every((one) => isWhole(state, one.id)) ?? false

/** Whether the viewer may see the status and the original of a boost. */
export const isAllowed: Rule = (state, id) => withOriginal(state, id)?.every((one) => isVisible(state, one)) ?? false

/** Whether no rule of the place, such as those for blocks and mutes, hides the status from the viewer. */
export const fitsPlace: Rule = (state, id) => {
  const fact = state.facts.get(id)
  return fact !== undefined && !isHidden(state.place, state.viewerId, placeFacts(fact), state.relationships)
}

/** Whether all rules allow the status. */
export const isShown: Rule = (state, id) => isLoaded(state, id) && isAllowed(state, id) && fitsPlace(state, id)
