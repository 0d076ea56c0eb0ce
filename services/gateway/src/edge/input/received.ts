/** Reads the parameters of a request from query, headers and body, and merges them into one object. */
import type { AnyOperation } from '@murmuration/contracts/kit'
import { basicCredentials } from '../caller/basic.js'
import { tokenIn } from '../caller/tokens.js'
import type { Exchange } from '../exchange.js'
import { type Body, bytesOf, isUpload, NO_BODY, parseBody, readUpload, withInline } from './body.js'
import type { Staging } from './multipart.js'
import { lastOfEach } from './repeated.js'

/** Query, token and body of a request, which are read before the caller is looked up. */
export interface Received {
  readonly query: Record<string, unknown>
  readonly token: string | null
  /** The bytes of the complete body. Null without a body, and for uploads, which are streamed later. */
  readonly bytes: Buffer | null
  /** The parsed body, if it was parsed to find the access token; else null. */
  readonly body: Body | null
}

/** Maximum number of bytes of a body in which an access token is searched. A larger body of an unknown caller is not parsed. */
const MAX_FOR_TOKEN = 16_384

/**
 * True if the operation reads the body of the request. Mastodon.py sends a body with GET when it requests familiar
 * followers.
 *
 * Because caches identify a GET by its URL alone, its body is read only if no cache stores the response.
 */
const takesBody = ({ method, operation }: Exchange): boolean =>
  method === 'GET' || method === 'HEAD' ? operation.viewer.kind === 'user' && operation.cache === 'private' : true

/** Reads the request body. Returns null for uploads, and if there is no body or the operation ignores it. */
export const readBytes = async (exchange: Exchange): Promise<Buffer | null> =>
  isUpload(exchange.req, exchange.operation) || !takesBody(exchange) ? null : bytesOf(exchange.req, exchange.operation)

/** Searches the access token in the body if header and query contain none. An invalid body is refused later, when it is parsed again. */
export const findTokenInBody = async ({ req, operation }: Exchange, received: Received): Promise<Received> => {
  const { token, bytes } = received
  if (token !== null || bytes === null || bytes.length > MAX_FOR_TOKEN || operation.rawBody > 0) return received
  const body = await parseBody(req, bytes).catch(() => null)
  return { ...received, body, token: body && tokenIn(body.given) }
}

/** Parses the request body. Files in the body are then in staging. */
export const readFields = async (
  { req, operation }: Exchange,
  { body, bytes }: Received,
  staging: Staging,
): Promise<Body> => {
  if (isUpload(req, operation)) return readUpload(req, operation, staging)
  return withInline(body ?? (bytes ? await parseBody(req, bytes) : NO_BODY), operation, staging)
}

const fieldsOf = (operation: AnyOperation, { form, given }: Body): Record<string, unknown> =>
  form ? lastOfEach(operation, given) : given

/**
 * Returns all parameters of a request by name. Path parameters override the body, and the body overrides the query and
 * the HTTP Basic header.
 */
export const mergeParameters = (
  { req, operation, params, path }: Exchange,
  { query, token }: Received,
  body: Body,
): Record<string, unknown> => ({
  ...(path.startsWith('/oauth/') ? basicCredentials(req) : {}),
  ...lastOfEach(operation, query),
  ...fieldsOf(operation, body),
  ...body.files,
  ...params,
  ...(operation.wantsToken ? { access_token: token } : {}),
})
