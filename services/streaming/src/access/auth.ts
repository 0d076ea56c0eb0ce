/** Checks access to connections and streams: IP address, access token, scopes, and the owner of a list. */
import type { IncomingMessage } from 'node:http'
import { listOwners, resolveToken } from '@murmuration/contracts/accounts'
import { type ErrorLiteral, ErrorText } from '@murmuration/contracts/kit'
import { scopeAllows } from '@murmuration/contracts/scopes'
import { addressOf } from '@murmuration/kernel'
import { preferredLanguage, translateError } from '@murmuration/messages'
import { type Channel, channelOf, isRefusal, NOT_YOUR_LIST } from '../channel/index.js'
import type { Context } from '../context.js'

/** The account that opened the connection, and its token. */
export interface Opener {
  viewerId: string
  tokenId: string
  token: string
  scopes: readonly string[]
  /** Language that the account chose. */
  locale: string
  /**
   * Proves to the services statuses and notifications that this account has an open stream. Absent if the accounts
   * process runs an earlier release, which does not issue grants.
   */
  grant: string | undefined
}

const CODES = {
  400: 'invalid',
  401: 'unauthenticated',
  403: 'forbidden',
  404: 'not_found',
  500: 'unknown',
  503: 'unavailable',
} as const

/** A refused connection or stream: HTTP status, and an error text that clients of Mastodon's API know. */
export class StreamRefusal<const Text extends string = never> extends Error {
  readonly status: 400 | 401 | 403 | 404 | 500 | 503
  readonly text: ErrorText
  constructor(status: StreamRefusal['status'], text: ErrorLiteral<Text> | ErrorText) {
    super(String(text))
    this.status = status
    this.text = text instanceof ErrorText ? text : new ErrorText(text)
  }
  /** The JSON body of the response in the language, with the members of every API error. */
  body(requestId: string, language: string): { error: string; code: string; request_id: string } {
    return { error: translateError(language, this.text), code: CODES[this.status], request_id: requestId }
  }
}

/** Language of error texts: from `lang` in the query, else from the account's setting, else from `Accept-Language`. */
export const languageOfCaller = (req: IncomingMessage, query: URLSearchParams, opener: Opener | null): string =>
  preferredLanguage({
    lang: query.get('lang'),
    locale: opener?.locale,
    accepted: req.headers['accept-language'],
  })

/** The access token of `Authorization: Bearer`, else of `access_token` in the query, else the first WebSocket sub-protocol; or null. */
const tokenOf = (req: IncomingMessage, query: URLSearchParams): string | null => {
  const bearer = /^Bearer\s+(\S+)$/i.exec(req.headers.authorization ?? '')
  if (bearer) return bearer[1] ?? null
  return query.get('access_token') || (req.headers['sec-websocket-protocol'] ?? '').split(',')[0]?.trim() || null
}

/** True if a rule `no_access` applies to the IP address. The text of the refusal does not mention the rule. */
const isBlocked = (ctx: Context, req: IncomingMessage): boolean =>
  ctx.policy.access().ip(addressOf(req, ctx.config.trustedProxies), ctx.clock.now()) === 'no_access'

/** Returns the account and token of a request. Throws a StreamRefusal: 403 for a blocked IP address, 401 without a valid token. */
export const authenticate = async (ctx: Context, req: IncomingMessage, query: URLSearchParams): Promise<Opener> => {
  if (isBlocked(ctx, req)) throw new StreamRefusal(403, 'Forbidden')
  const token = tokenOf(req, query)
  if (!token) throw new StreamRefusal(401, 'Missing access token')
  if (token.length > 512) throw new StreamRefusal(401, 'Invalid access token')
  const { found, grant } = await ctx.call(resolveToken, { token, ip: null, stream: true })
  if (!found?.viewer || found.state !== 'ok') throw new StreamRefusal(401, 'Invalid access token')
  const { id: viewerId, locale } = found.viewer
  return { viewerId, locale, tokenId: found.tokenId, token, scopes: found.scopes, grant }
}

/** The channel of a stream name. Throws a StreamRefusal for an unknown name, wrong parameters or a missing scope. */
export const allowedChannel = (
  { viewerId, scopes }: Pick<Opener, 'viewerId' | 'scopes'>,
  name: string,
  given: { tag?: string | null; list?: string | null },
): Channel => {
  const channel = channelOf(name, given, viewerId)
  if (isRefusal(channel)) throw new StreamRefusal(channel.status, channel.text)
  if (!scopeAllows([...scopes], [...channel.scopes]))
    throw new StreamRefusal(401, 'Access token does not have the required scopes')
  return channel
}

/** Throws a StreamRefusal if the channel streams a list that the viewer does not own. Calls accounts for the owner. */
export const checkOwner = async (ctx: Context, channel: Channel, viewerId: string): Promise<void> => {
  const { list } = channel
  if (list === undefined) return
  const { owners } = await ctx.call(listOwners, { ids: [list] })
  if (owners[list] !== viewerId) throw new StreamRefusal(NOT_YOUR_LIST.status, NOT_YOUR_LIST.text)
}
