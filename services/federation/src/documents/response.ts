/** Responses of document operations: their bytes and cache headers. */
import { type Reply, reply } from '@murmuration/contracts/kit'
import { type Incoming, isSigned } from '../core/signature/incoming.js'
import type { Requester } from '../core/signature/requester.js'

/** Seconds for which a response may be cached, by kind of document. */
export const MAX_AGE_SECONDS = {
  document: 180,
  page: 60,
  stamp: 30,
  /** Time for a status whose quote waits for approval; short because the approval changes the document. */
  pending: 5,
  webfinger: 259_200,
  refusal: 180,
  nodeinfo: 1_800,
  instance: 600,
} as const

const shared = (seconds: number): string => `max-age=${seconds}, public`

/**
 * Response with a document. The response is cacheable only if the request is neither signed nor authorized, and
 * signatures are optional.
 */
export const documentResponse = (
  request: Incoming,
  document: unknown,
  made: { requester: Requester; secure: boolean; seconds?: number; status?: number },
): Reply<string> => {
  const personal =
    made.requester !== null || made.secure || isSigned(request) || request.headers.authorization !== undefined
  return reply(JSON.stringify(document), {
    ...(made.status ? { status: made.status } : {}),
    headers: {
      'Cache-Control': personal ? 'private, no-store' : shared(made.seconds ?? MAX_AGE_SECONDS.document),
      Vary: 'Accept, Signature, Signature-Input',
    },
  })
}

/** Cacheable response with a document that is the same for every client. */
export const openResponse = (text: string, seconds: number, headers: Record<string, string> = {}): Reply<string> =>
  reply(text, { headers: { 'Cache-Control': shared(seconds), ...headers } })

/** Redirects a browser to the HTML page of the requested object. */
export const pageRedirect = (url: string): Reply<string> =>
  reply('', {
    status: 302,
    headers: { Location: url, Vary: 'Accept, Signature, Signature-Input', 'Cache-Control': 'private, no-store' },
  })

/** An error response without a body. */
export const emptyResponse = (status: number, seconds: number): Reply<string> =>
  reply('', { status, headers: { 'Cache-Control': shared(seconds) } })
