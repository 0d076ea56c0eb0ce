/** Schemas of quotes in statuses. */
import { z } from 'zod'
import { Id } from './primitive.js'

/** States of a quote in which the quoted status is included. In the last three states, the client decides whether to show that status. */
export const quoteStatesShown = ['accepted', 'blocked_account', 'blocked_domain', 'muted_account'] as const
/** States of a quote in which the quoted status is not included. */
export const quoteStatesHidden = ['pending', 'rejected', 'revoked', 'deleted', 'unauthorized'] as const

export const QuoteState = z
  .enum([...quoteStatesShown, ...quoteStatesHidden])
  .meta({ id: 'QuoteState', description: 'State of a quote.' })
export type QuoteState = z.infer<typeof QuoteState>

/** Quote inside a quoted status. Because quotes are nested only one level, it contains only an id of the status. */
export const ShallowQuote = z
  .strictObject({ state: QuoteState, quoted_status_id: Id.nullable() })
  .meta({ id: 'ShallowQuote', description: 'A quote with the id of the quoted status only.' })
export type ShallowQuote = z.infer<typeof ShallowQuote>
