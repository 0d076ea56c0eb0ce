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
  /** The whole body; null without a body, and for uploads, which are streamed. */
  readonly bytes: Buffer | null
  /** The parsed body, if it was parsed to find the token; else null. */
  readonly body: Body | null
}

/** Maximum number of bytes of a body in which a token is looked for. A larger body is not parsed for an unknown caller. */
const MAX_FOR_TOKEN = 16_384

/**
 * True if the operation reads the body of the request. Mastodon.py sends a body with GET when it requests familiar
 * followers.
 *
 * Because caches identify a GET by its URL alone, its body is read only if no cache stores the response.
 */
const takesBody = ({ method, operation }: Exchange): boolean =>
  method === 'GET' || method === 'HEAD' ? operation.viewer.kind === 'user' && operation.cache === 'private' : true

/** Reads the body; null for uploads, and if there is no body or it is ignored. */
export const readBytes = async (exchange: Exchange): Promise<Buffer | null> =>
  isUpload(exchange.req, exchange.operation) || !takesBody(exchange) ? null : bytesOf(exchange.req, exchange.operation)

/** Looks for the token in the body if header and query contain none. An invalid body is refused later, when it is parsed again. */
export const findTokenInBody = async ({ req, operation }: Exchange, received: Received): Promise<Received> => {
  const { token, bytes } = received
  if (token !== null || bytes === null || bytes.length > MAX_FOR_TOKEN || operation.rawBody > 0) return received
  const body = await parseBody(req, bytes).catch(() => null)
  return { ...received, body, token: body && tokenIn(body.given) }
}

/** Parses the body. Files in the body are in staging afterwards. */
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

/** All parameters by name. Path parameters override the body, and the body overrides the query and the Basic header. */
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
