/** The `filtered` member of statuses: results of a viewer's filters, from compiled filters and loaded texts. Pure. */
import type { FilterResult } from '@murmuration/contracts/entities'
import { htmlToPlainText, withoutQuoteLine } from '@murmuration/text'
import type { CardMembers } from '../card/card.js'
import { cardName } from '../card/cards.js'
import { isSent } from '../quote/rules.js'
import type { State } from '../render/state.js'
import type { LoadedStatus } from '../viewer/loaded-status.store.js'
import { compileMatcher, type FilterSet } from './rules.js'
import { filterSummary } from './view.js'

/**
 * Returns the JSON text of `filtered` for a status. `ids`: the status and the boosted one; `text`: returns the compared
 * text; `now`: milliseconds.
 */
export type FilterEvaluator = (status: { ids: readonly string[]; text: () => string }, now: number) => string

/** Compiles the filters of an account. Returns null if the filters cannot match anything. */
export const compileEvaluator = (set: Pick<FilterSet, 'filters'>): FilterEvaluator | null => {
  const matcher = compileMatcher(set.filters)
  if (!matcher) return null
  const summaries = set.filters.map(filterSummary)
  return (status, now) =>
    JSON.stringify(
      matcher(status, now).flatMap(({ filter, keywords, statuses }): FilterResult[] => {
        const summary = summaries[filter]
        return summary ? [{ filter: summary, keyword_matches: keywords, status_matches: statuses }] : []
      }),
    )
}

/**
 * Text of a card that filters compare: content warning and content, without HTML. `quotes`: clients get a quote of
 * the status. They then hide the line that links to the quoted status, so it is left out.
 */
export const plainText = (card: string, quotes: boolean): string => {
  const { spoiler_text, content } = JSON.parse(card) as CardMembers
  return `${spoiler_text}\n\n${htmlToPlainText(quotes ? withoutQuoteLine(content) : content)}`
}

/** Returns the plain text of a card by its name, as `plainText` builds it. */
export type PlainTexts = (name: string, card: string, quotes: boolean) => string

type Loaded = Pick<State, 'statuses' | 'cards' | 'media' | 'polls' | 'quotes'>

/** Everything of a status that filters compare: warning, content, poll options, descriptions of attachments. */
const comparedText = (state: Loaded, status: LoadedStatus, plain: PlainTexts): string => {
  const name = cardName(status)
  const card = state.cards.get(name)
  const poll = status.poll_id === null ? undefined : state.polls.get(status.poll_id)
  const described = status.media_ids.flatMap((id) => {
    const { description } = JSON.parse(state.media.get(id) ?? '{}') as { description?: string | null }
    return description ? [description] : []
  })
  const quote = status.has_quote ? state.quotes.get(status.id) : undefined
  const written = card === undefined ? '' : plain(name, card, quote !== undefined && isSent(quote))
  return [written, ...(poll?.row.options ?? []), ...described].join('\n\n')
}

/** Builds the compared text of each loaded status once, for any number of viewers. */
export const compared = (state: Loaded, plain: PlainTexts) => {
  const texts = new Map<string, string>()
  const textOf = (status: LoadedStatus): string => {
    const known = texts.get(status.id)
    const text = known ?? comparedText(state, status, plain)
    if (known === undefined) texts.set(status.id, text)
    return text
  }
  /** `filtered` of every loaded status by id. For a boost, the original is compared. */
  return (evaluate: FilterEvaluator, now: number): Map<string, string> =>
    new Map(
      [...state.statuses.values()].map((status) => {
        const original = status.reblog_of_id === null ? undefined : state.statuses.get(status.reblog_of_id)
        const ids = original ? [status.id, original.id] : [status.id]
        return [status.id, evaluate({ ids, text: () => textOf(original ?? status) }, now)]
      }),
    )
}
