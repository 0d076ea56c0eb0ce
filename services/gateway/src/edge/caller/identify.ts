/** Finds the account and the app of a request by its access token. */
import type { IncomingMessage } from 'node:http'
import type { Caller } from '@murmuration/contracts/kit'
import type { Exchange } from '../exchange.js'
import { callerOf } from './auth.js'
import { bearerOf, type TokenLookup, type Tokens, tokenIn } from './tokens.js'

/** Returns the access token from the Authorization header, else from the query; null without a token. */
export const tokenOf = (req: IncomingMessage, query: Readonly<Record<string, unknown>>): string | null =>
  bearerOf(req) ?? tokenIn(query)

/**
 * Sets the caller of a request. Returns the result of the token look-up; null if there is no token, or if the operation
 * needs no caller.
 */
export const identify = async (
  tokens: Tokens,
  exchange: Exchange,
  token: string | null,
): Promise<TokenLookup | null> => {
  const { req, operation, ip } = exchange
  const lookup = token !== null && operation.viewer.kind !== 'anyone' ? await tokens.resolve(token, ip) : null
  const base: Pick<Caller, 'ip' | 'userAgent'> = { ip, userAgent: req.headers['user-agent'] || null }
  exchange.caller = callerOf(operation, lookup, base)
  return lookup
}
