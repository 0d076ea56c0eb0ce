/** Parameters of a request: read from query, headers and body, and merged into one object. */
import type { AnyOperation } from '@murmuration/contracts/kit'
import { basicCredentials } from '../caller/basic.js'
import { tokenIn } from '../caller/tokens.js'
import type { Exchange } from '../exchange.js'
import { type Body, bytesOf, isUpload, NO_BODY, parseBody, readUpload, withInline } from './body.js'
import type { Staging } from './multipart.js'
import { lastOfEach } from './repeated.js'

/** Parts of a request that are read before its caller is known. */
export interface Received {
  readonly query: Record<string, unknown>
  readonly token: string | null
  /** The whole body; null without one, and for uploads, which are streamed. */
  readonly bytes: Buffer | null
  /** The parsed body, if it was parsed to find the token. */
  readonly body: Body | null
}

/** Tokens are in small forms only. A large body is not parsed for an unknown caller. */
const MOST_FOR_TOKEN = 16_384

/**
 * True if the body of the request counts. Mastodon.py sends one with GET, for the familiar followers.
 *
 * Because caches know a GET by its address alone, it counts only for responses that no cache stores.
 */
const takesBody = ({ method, operation }: Exchange): boolean =>
  method === 'GET' || method === 'HEAD' ? operation.viewer.kind === 'user' && operation.cache === 'private' : true

/** Reads a body that is not streamed. */
export const readBytes = async (exchange: Exchange): Promise<Buffer | null> =>
  isUpload(exchange.req, exchange.operation) || !takesBody(exchange) ? null : bytesOf(exchange.req, exchange.operation)

/** Looks for the token in the body, if it was in no other place. A broken body is refused later, when it is parsed again. */
export const findTokenInBody = async ({ req, operation }: Exchange, received: Received): Promise<Received> => {
  const { token, bytes } = received
  if (token !== null || bytes === null || bytes.length > MOST_FOR_TOKEN || operation.rawBody > 0) return received
  const body = await parseBody(req, bytes).catch(() => null)
  return { ...received, body, token: body && tokenIn(body.given) }
}

/** Fields and files of the body. Files are in staging afterwards. */
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

/** All parameters by name. Of two with one name, the part of the path counts more than the body, and the body more than the query. */
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
