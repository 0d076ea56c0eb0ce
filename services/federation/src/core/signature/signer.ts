/**
 * Verifies the HTTP signature of a request. An unknown key is fetched from its server. A stored key that does not
 * verify the signature is fetched again, at most once.
 */

import type { VerificationKey } from '@murmuration/activitypub/signatures/keys'
import type { Refused } from '@murmuration/activitypub/signatures/refusal'
import { type ClaimsInput, verifyRequest } from '@murmuration/activitypub/signatures/verify-request'
import { hostOf, type Uri } from '@murmuration/activitypub/vocabulary/uri'
import { putRemote, type RemoteActor } from '@murmuration/contracts/accounts'
import { fetchKey } from '@murmuration/contracts/federation'
import { errorText, Failure, fail } from '@murmuration/contracts/kit'
import { addressKey } from '@murmuration/kernel'
import type { Context } from '../../context.js'
import { requireOpenHost } from '../host/hosts.js'
import type { Incoming } from './incoming.js'

export interface Signer {
  readonly keyId: string
  /** Id of the actor whose document lists the key of the signature. */
  readonly owner: Uri
  readonly accountId: string
  /** Time of the signature of the request, ms since the epoch. */
  readonly made: number
}

/** `outside`: an unknown key is fetched from its server. `known`: a key that is not stored counts as absent. */
export type Reach = 'outside' | 'known'

/**
 * Parameters of a key look-up. `fresh`: fetch even a stored key. `from`: IP address of the request that named the key.
 * `by`: host that signed the request, if it forwarded an activity with a signature by another host. Rate limits count by `by`
 * if present, else by `from`.
 */
export type KeyLookup = { fresh: boolean; from?: string | null; by?: string | null }

export type Found = { pem: string; owner: string; accountId: string | null; actor: RemoteActor | null }

/** Maximum number of failed signatures of one IP address per minute. Further requests of the address get 429. */
const MAX_FAILURES = 120
const FETCH_MS = 9_000

const UNREADABLE = 'key-unreadable'

const unread = (keyId: string, cause?: unknown) =>
  fail('unavailable', 'The key could not be read, try again later', {
    cause: { reason: UNREADABLE, keyId, cause },
    retryAfter: 10,
  })

/** True if this server could not fetch a key now, for example because its process restarts. The other server is not at fault. */
const isOwnFault = (cause: unknown): boolean => cause instanceof Failure && cause.code === 'unavailable'

/**
 * True if a key look-up failed because this server could not fetch the key now (see `isOwnFault`). A key that another server does not
 * return now is another case.
 */
export const isUnanswered = (error: unknown): boolean => {
  if (!isOwnFault(error)) return false
  const { reason, cause } = ((error as Failure).cause ?? {}) as { reason?: unknown; cause?: unknown }
  return reason === UNREADABLE ? isOwnFault(cause) : true
}

/** Counts the fetch of a key against the client that named it. Returns false if the client named too many keys. */
const mayNameKey = async (ctx: Context, host: string, { from, by }: KeyLookup): Promise<boolean> => {
  const who = by ?? (from ? addressKey(from) : null)
  return who === null || ctx.fetcher.limits.mayNameKey(who, host, !(await ctx.peers.isKnown(host)))
}

/**
 * Fetches a key from its server.
 *
 * | Case | Result |
 * |---|---|
 * | rate limit of the client reached, or temporary failure | throws `unavailable`, with a retry after 10 seconds |
 * | no process of this server fetches unknown keys now | throws `unavailable` of the call, with a retry after a few seconds |
 * | server blocked | throws `forbidden` |
 * | the actor does not list the key, or any other failure | null |
 */
const fetchSigner = async (ctx: Context, keyId: string, host: string, lookup: KeyLookup): Promise<Found | null> => {
  const { fresh, from = null } = lookup
  if (!fresh && !(await mayNameKey(ctx, host, lookup))) throw unread(keyId)
  const giveBack = from === null ? async () => {} : await ctx.fetcher.limits.takeUnread(from)
  if (giveBack === null) throw unread(keyId)
  const { outcome, actor } = await ctx
    .call(fetchKey, { keyId, fresh }, { timeoutMs: FETCH_MS })
    .catch(async (cause) => {
      // A stored key is fetched again at most once in minutes (`mayRefresh`), so a retry within seconds would be refused.
      if (fresh || !isOwnFault(cause)) throw unread(keyId, cause)
      await giveBack()
      throw cause
    })
  if (outcome === 'later') throw unread(keyId)
  await giveBack()
  if (outcome === 'blocked') throw fail('forbidden', 'This server is not served here')
  const key = actor?.keys.find((it) => it.id === keyId)
  return actor && key ? { pem: key.pem, owner: actor.uri, accountId: null, actor } : null
}

/** The key with exactly this id and its owner, stored or fetched; else null. Throws for blocked servers and temporary failures. */
export const findKey = async (
  ctx: Context,
  keyId: string,
  { reach, ...lookup }: KeyLookup & { reach: Reach },
): Promise<Found | null> => {
  const host = hostOf(keyId)
  if (host === null) return null
  requireOpenHost(ctx, host)
  const known = lookup.fresh ? null : await ctx.knownKeys.get(keyId)
  if (known !== null) return { ...known, actor: null }
  return lookup.fresh || reach === 'outside' ? fetchSigner(ctx, keyId, host, lookup) : null
}

const refusal = (refused: Refused) =>
  fail(
    refused.status === 400 ? 'invalid' : 'unauthenticated',
    refused.reason === 'no-signature'
      ? errorText('Request not signed')
      : errorText('The signature is not accepted: {reason}', { reason: refused.reason }),
    { cause: refused },
  )

/** Counts a failed signature of the client's IP address, then throws the failure for the response. */
const refuseSender = async (ctx: Context, request: Incoming, refused: Refused): Promise<never> => {
  if (request.ip !== null) await ctx.fetcher.limits.failure(request.ip)
  throw refusal(refused)
}

const limitFailures = async (ctx: Context, request: Incoming): Promise<void> => {
  if (request.ip !== null && (await ctx.fetcher.limits.failures(request.ip)) > MAX_FAILURES)
    throw fail('rate_limited', 'Too many failed signatures', { retryAfter: 60 })
}

/** Account id of the owner of a key. Stores the actor first if the key was just fetched. */
export const accountOf = async (ctx: Context, keyId: string, found: Found): Promise<string> => {
  if (found.actor === null) return found.accountId as string
  const { record } = await ctx.call(putRemote, { actor: found.actor })
  ctx.knownKeys.remove(keyId)
  return record.id
}

/** Input for signature verification: the request, the current time, and the hosts of this server. */
export const asSigned = (ctx: Context, { method, path, headers, body }: Incoming): ClaimsInput => ({
  method,
  path,
  headers,
  body,
  now: ctx.clock.now(),
  publicOrigin: ctx.site.origin,
  ownHosts: ctx.self.ownHosts,
})

/**
 * Returns the signer of a request. Throws the failure for the response:
 *
 * | Case | Status |
 * |---|---|
 * | signature missing, malformed or wrong | 401 or 400 |
 * | server blocked | 403 |
 * | more than `MAX_FAILURES` failed signatures from the IP address in a minute | 429 |
 * | key cannot be read now | 503 |
 */
export const signerOf = async (ctx: Context, request: Incoming, reach: Reach): Promise<Signer> => {
  const used = new Map<string, Found>()
  const verify = (fresh: boolean) =>
    verifyRequest({
      ...asSigned(ctx, request),
      async getKey(keyId): Promise<VerificationKey | null> {
        const found = await findKey(ctx, keyId, { fresh, reach, from: request.ip })
        if (found === null) return null
        used.set(keyId, found)
        return ctx.self.keys.verification(found.pem)
      },
    })

  await limitFailures(ctx, request)
  let outcome = await verify(false)
  if (!outcome.ok && outcome.refreshable && outcome.keyId !== null && used.get(outcome.keyId)?.actor === null) {
    const { owner } = used.get(outcome.keyId) as Found
    if (await ctx.fetcher.limits.mayRefresh(owner)) outcome = await verify(true)
  }
  if (!outcome.ok) {
    // A signature with an unknown key is not counted as failed, because large servers fetch many documents before their
    // keys are stored here.
    if (reach === 'known' && outcome.reason === 'unknown-key') throw refusal(outcome)
    return refuseSender(ctx, request, outcome)
  }
  const found = used.get(outcome.keyId) as Found
  const accountId = await accountOf(ctx, outcome.keyId, found)
  return { keyId: outcome.keyId, owner: found.owner as Uri, accountId, made: outcome.made }
}
