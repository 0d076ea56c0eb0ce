/** The quote of a loaded status as the viewer sees it. The quoted status is hidden if its facts are not loaded. */
import type { QuoteState } from '@murmuration/contracts/entities'
import type { State } from '../render/state.js'
import type { Fact } from '../viewer/fact.store.js'
import { isVisible, isWhole } from '../visibility/shown.js'
import { isSent, shownState } from './rules.js'

/** The quote of a status for the viewer. Null without a quote, and for a legacy quote that is not accepted. */
export const quoteSeen = (state: State, fact: Fact): { state: QuoteState; quotedId: string | null } | null => {
  const row = fact.has_quote ? state.quotes.get(fact.id) : undefined
  if (row === undefined || !isSent(row)) return null
  const quoted = row.quoted_id === null ? undefined : state.facts.get(row.quoted_id)
  if (!quoted) return { state: shownState(row.state, null, undefined), quotedId: null }
  const relationship = state.relationships.get(quoted.author_id)
  const visible = isVisible(state, quoted) && isWhole(state, quoted.id) && relationship?.blocked_by !== true
  const own = quoted.author_id === state.viewerId
  return {
    state: shownState(row.state, { visible, own }, relationship),
    quotedId: quoted.id,
  }
}
