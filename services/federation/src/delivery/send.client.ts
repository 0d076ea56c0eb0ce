/** Sends one activity to one inbox. If the host does not accept the signature, the other signature schemes are tried. */
import type { KeyObject } from 'node:crypto'
import { signRequest } from '@murmuration/activitypub/signatures/sign-request'
import { type Outbound, OutboundError } from '@murmuration/outbound'
import type { SignatureScheme } from '../core/signature/scheme.rules.js'
import type { PostResponse } from './result.rules.js'

export interface Post {
  url: string
  body: Buffer
  /** SHA-256 of the body, in base64. */
  sha256: string
  keyId: string
  privateKey: KeyObject
  /**
   * Value of the Collection-Synchronization header about followers on the server of the inbox; null for most
   * activities.
   */
  synchronisation: string | null
  /** Signature scheme that the host accepted last. */
  scheme: SignatureScheme
  timeoutMs: number
}

export interface Posted {
  response: PostResponse
  /** Signature scheme of the request that got this response. */
  scheme: SignatureScheme
}

const TYPE = 'application/activity+json'
/** Maximum number of bytes of a response, whose body is ignored. A longer response counts as a failure. */
const MAX_BYTES = 1_048_576

/** True for statuses by which a host may refuse the signature scheme: 400 and 401. */
const notUnderstood = (response: PostResponse): boolean =>
  'status' in response && (response.status === 400 || response.status === 401)

/** Signature schemes to try, `known` first. `cavage-without-query` is tried only for a URL with a query. */
const attempts = (url: string, known: SignatureScheme): SignatureScheme[] => {
  const all: SignatureScheme[] = url.includes('?')
    ? ['cavage', 'cavage-without-query', 'rfc9421']
    : ['cavage', 'rfc9421']
  return all.includes(known) ? [known, ...all.filter((it) => it !== known)] : all
}

const once = async (outbound: Outbound, post: Post, scheme: SignatureScheme, now: number): Promise<PostResponse> => {
  try {
    const headers = await signRequest({
      method: 'POST',
      url: post.url,
      headers: {
        'content-type': TYPE,
        ...(post.synchronisation === null ? {} : { 'collection-synchronization': post.synchronisation }),
      },
      body: post.body,
      sha256: post.sha256,
      keyId: post.keyId,
      privateKey: post.privateKey,
      now,
      scheme: scheme === 'rfc9421' ? 'rfc9421' : 'cavage',
      omitQuery: scheme === 'cavage-without-query',
    })
    // The time-out starts after the signing, because signatures of an activity with many recipients may queue for a
    // while.
    const { status, headers: responseHeaders } = await outbound.request({
      method: 'POST',
      url: post.url,
      headers,
      body: post.body,
      maxBytes: MAX_BYTES,
      timeoutMs: post.timeoutMs,
      accept: TYPE,
    })
    return { status, headers: responseHeaders }
  } catch (error) {
    if (!(error instanceof OutboundError) || error.ours) throw error
    // A response that is too long has no usable status, so it counts as a failure that is retried.
    return { failure: error.code, retryable: error.retryable || error.code === 'too_large' }
  }
}

/** Sends an activity, with at most one attempt per signature scheme. Redirects are not followed. Rejects only for local faults. */
export const deliver = async (outbound: Outbound, post: Post, now: () => number): Promise<Posted> => {
  if (!URL.canParse(post.url)) return { response: { failure: 'bad_url', retryable: false }, scheme: post.scheme }
  let last: Posted | undefined
  for (const scheme of attempts(post.url, post.scheme)) {
    const response = await once(outbound, post, scheme, now())
    // If the host refuses all signature schemes, its first response counts.
    if (!notUnderstood(response)) return { response, scheme }
    last ??= { response, scheme: post.scheme }
  }
  return last ?? { response: { failure: 'timeout', retryable: true }, scheme: post.scheme }
}
