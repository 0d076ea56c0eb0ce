/** Sends one activity to one inbox: signed in the form the host understands, and in the next one when it does not. */
import type { KeyObject } from 'node:crypto'
import { signRequest } from '@murmuration/activitypub/signatures/sign-request'
import { type Outbound, OutboundError } from '@murmuration/outbound'
import type { SignatureScheme } from '../core/signature-scheme.rules.js'
import type { Answer } from './verdict.rules.js'

export interface Post {
  url: string
  body: Buffer
  /** Base64 SHA-256 of the body. */
  sha256: string
  keyId: string
  privateKey: KeyObject
  /** Signed Collection-Synchronization header about followers on that server; null for most activities. */
  synchronisation: string | null
  /** Signature scheme that the host accepted last. */
  scheme: SignatureScheme
  timeoutMs: number
}

export interface Posted {
  answer: Answer
  /** Signature scheme that this response belongs to. */
  scheme: SignatureScheme
}

const TYPE = 'application/activity+json'
/** Bodies of responses are ignored. A longer one counts as a broken response. */
const MOST_BYTES = 1_048_576

/** A signature that was not understood, or a response that may mean that. */
const notUnderstood = (answer: Answer): boolean =>
  'status' in answer && (answer.status === 400 || answer.status === 401)

/** The forms to try, the one that worked last first. Leaving out the query only makes a difference where there is one. */
const attempts = (url: string, known: SignatureScheme): SignatureScheme[] => {
  const all: SignatureScheme[] = url.includes('?')
    ? ['cavage', 'cavage-without-query', 'rfc9421']
    : ['cavage', 'rfc9421']
  return all.includes(known) ? [known, ...all.filter((it) => it !== known)] : all
}

const once = async (outbound: Outbound, post: Post, scheme: SignatureScheme, now: number): Promise<Answer> => {
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
    // The time-out starts now, because signatures of an activity with many recipients may queue for a while.
    const { status, headers: answered } = await outbound.request({
      method: 'POST',
      url: post.url,
      headers,
      body: post.body,
      maxBytes: MOST_BYTES,
      timeoutMs: post.timeoutMs,
      accept: TYPE,
    })
    return { status, headers: answered }
  } catch (error) {
    if (!(error instanceof OutboundError) || error.ours) throw error
    // A host that sends too long a response is up, but its status is not reliable.
    return { failure: error.code, retryable: error.retryable || error.code === 'too_large' }
  }
}

/** Signs when it sends, on the thread pool. A redirect counts as a response. Rejects only for faults of this server. */
export const deliver = async (outbound: Outbound, post: Post, now: () => number): Promise<Posted> => {
  if (!URL.canParse(post.url)) return { answer: { failure: 'bad_url', retryable: false }, scheme: post.scheme }
  let last: Posted | undefined
  for (const scheme of attempts(post.url, post.scheme)) {
    const answer = await once(outbound, post, scheme, now())
    // Of several refusals the first is the one that was meant for us.
    if (!notUnderstood(answer)) return { answer, scheme }
    last ??= { answer, scheme: post.scheme }
  }
  return last ?? { answer: { failure: 'timeout', retryable: true }, scheme: post.scheme }
}
