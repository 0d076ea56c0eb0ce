/** QuoteRequest: nobody here gives stamps, so a quote stays unapproved, which is what silence means. */
import { ignored } from './outcome.js'
import type { Handler } from './received.js'

export const quoteRequest: Handler<'QuoteRequest'> = async () => ignored('quotes-are-not-approved')
