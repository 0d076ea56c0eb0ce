/** The form of a quote, shared by the status that carries it and by the quoted one. */
import { z } from 'zod'
import { Id } from './primitive.js'

/** States in which the quoted status is sent; for the last three the client decides whether to unfold it. */
export const quoteStatesShown = ['accepted', 'blocked_account', 'blocked_domain', 'muted_account'] as const
/** States in which nothing of the quoted status is sent. */
export const quoteStatesHidden = ['pending', 'rejected', 'revoked', 'deleted', 'unauthorized'] as const

export const QuoteState = z
  .enum([...quoteStatesShown, ...quoteStatesHidden])
  .meta({ id: 'QuoteState', description: 'Whether a quote is shown, and why not.' })
export type QuoteState = z.infer<typeof QuoteState>

/** A quote inside a quoted status: quotes nest one level, deeper ones are named by id. */
export const ShallowQuote = z
  .strictObject({ state: QuoteState, quoted_status_id: Id.nullable() })
  .meta({ id: 'ShallowQuote', description: 'A quote whose status is only named.' })
export type ShallowQuote = z.infer<typeof ShallowQuote>
