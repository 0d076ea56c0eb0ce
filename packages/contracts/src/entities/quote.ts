/** Quotes in statuses. */
import { z } from 'zod'
import { Id } from './primitive.js'

/** States in which the quoted status is included. For the last three the client decides whether to show it. */
export const quoteStatesShown = ['accepted', 'blocked_account', 'blocked_domain', 'muted_account'] as const
/** States in which the quoted status is not included. */
export const quoteStatesHidden = ['pending', 'rejected', 'revoked', 'deleted', 'unauthorized'] as const

export const QuoteState = z
  .enum([...quoteStatesShown, ...quoteStatesHidden])
  .meta({ id: 'QuoteState', description: 'State of a quote.' })
export type QuoteState = z.infer<typeof QuoteState>

/** Quote of a quoted status. Quotes are nested one level; deeper ones are only ids. */
export const ShallowQuote = z
  .strictObject({ state: QuoteState, quoted_status_id: Id.nullable() })
  .meta({ id: 'ShallowQuote', description: 'A quote with the id of the quoted status only.' })
export type ShallowQuote = z.infer<typeof ShallowQuote>
