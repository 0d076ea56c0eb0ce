/** Which of the loaded statuses the viewer gets to see at this place. Pure; whatever is not loaded is not shown. */

import { cardName } from '../card/cards.js'
import { placed } from '../render/hydrate.js'
import type { State } from '../render/state.js'
import type { Fact } from '../viewer/fact.store.js'
import { isHidden } from './place.rules.js'
import { HELD, maySee, visibilityOf } from './rules.js'

/** True when everything that the JSON of this status is joined from is there. */
export const isWhole = (state: State, id: string): boolean => {
  const fact = state.facts.get(id)
  return fact !== undefined && state.cards.has(cardName(fact)) && state.accounts.has(fact.author_id)
}

/** True when the viewer may see the status, whatever the place. */
export const isVisible = (state: Pick<State, 'viewerId' | 'standings'>, fact: Fact): boolean =>
  maySee(
    state.viewerId,
    {
      authorId: fact.author_id,
      visibility: visibilityOf(fact.visibility),
      held: fact.visibility === HELD,
      authorSuspended: fact.suspended,
      mentionsViewer: state.viewerId !== null && fact.mentions.includes(state.viewerId),
    },
    state.standings.get(fact.author_id),
  )

/** The status and, of a boost, its original; null when one of them is not loaded. */
const withOriginal = (state: State, id: string): Fact[] | null => {
  const fact = state.facts.get(id)
  if (!fact || fact.reblog_of_id === null) return fact ? [fact] : null
  const original = state.facts.get(fact.reblog_of_id)
  return original ? [fact, original] : null
}

/** A rule of a page: false drops the status. */
export type Rule = (state: State, id: string) => boolean

/** True when everything that the JSON is joined from is loaded. */
export const isLoaded: Rule = (state, id) => withOriginal(state, id)?.every((one) => isWhole(state, one.id)) ?? false

/** True when the viewer may see the status and, of a boost, its original. */
export const isAllowed: Rule = (state, id) => withOriginal(state, id)?.every((one) => isVisible(state, one)) ?? false

/** True unless this place hides the status from the viewer: mutes, blocks and the like. */
export const fitsPlace: Rule = (state, id) => {
  const fact = state.facts.get(id)
  return fact !== undefined && !isHidden(state.place, state.viewerId, placed(fact), state.standings)
}

/** True when the status may be shown: all rules agree. */
export const isShown: Rule = (state, id) => isLoaded(state, id) && isAllowed(state, id) && fitsPlace(state, id)
