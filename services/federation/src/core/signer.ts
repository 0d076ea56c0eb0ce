/** Verifies the signer of a request. The key is read from the store or its owner, and refreshed at most once. Any doubt is a refusal. */

import type { VerificationKey } from '@murmuration/activitypub/signatures/keys'
import type { Refused } from '@murmuration/activitypub/signatures/refusal'
import { type ClaimsInput, verifyRequest } from '@murmuration/activitypub/signatures/verify-request'
import { hostOf, type Uri } from '@murmuration/activitypub/vocabulary/uri'
import { putRemote, type RemoteActor } from '@murmuration/contracts/accounts'
import { fetchKey } from '@murmuration/contracts/federation'
import { fail } from '@murmuration/contracts/kit'
import { addressKey } from '@murmuration/kernel'
import type { Context } from '../context.js'
import { admitHost } from './hosts.js'
import type { Incoming } from './incoming.js'

export interface Signer {
  readonly keyId: string
  /** Actor whose document lists the key. */
  readonly owner: Uri
  readonly accountId: string
  /** When the request was signed, ms since the epoch. */
  readonly made: number
}

/** `known` makes no request: a key that is not stored counts as absent. */
export type Reach = 'outside' | 'known'

/** `from` is the IP address of the request that named the key, if known; `by` the host that signed that activity. */
export type Asking = { fresh: boolean; from?: string | null; by?: string | null }

export type Found = { pem: string; owner: string; accountId: string | null; actor: RemoteActor | null }

/** Failed signatures from one address within a minute; then it has to wait. */
const MOST_FAILURES = 120
const FETCH_MS = 9_000

const unread = (keyId: string, cause?: unknown) =>
  fail('unavailable', 'The key could not be read, try again later', {
    cause: { reason: 'key-unreadable', keyId, cause },
    retryAfter: 10,
  })

/** Counts before it fetches, so that a client that names too many keys does not delay others. */
const mayName = async (ctx: Context, host: string, { from, by }: Asking): Promise<boolean> => {
  const who = by ?? (from ? addressKey(from) : null)
  return who === null || ctx.reader.budgets.mayName(who, host, !(await ctx.peers.isKnown(host)))
}

/** Reads a key from its server. A temporary failure is repeatable; every other failure means that the key does not exist. */
const askOutside = async (ctx: Context, keyId: string, host: string, asking: Asking): Promise<Found | null> => {
  const { fresh, from = null } = asking
  if (!fresh && !(await mayName(ctx, host, asking))) throw unread(keyId)
  const giveBack = from === null ? async () => {} : await ctx.reader.budgets.takeUnread(from)
  if (giveBack === null) throw unread(keyId)
  const { outcome, actor } = await ctx.call(fetchKey, { keyId, fresh }, { timeoutMs: FETCH_MS }).catch((cause) => {
    throw unread(keyId, cause)
  })
  if (outcome === 'later') throw unread(keyId)
  await giveBack()
  if (outcome === 'blocked') throw fail('forbidden', 'This server is not served here')
  const key = actor?.keys.find((it) => it.id === keyId)
  return actor && key ? { pem: key.pem, owner: actor.uri, accountId: null, actor } : null
}

/** The key with exactly this id and its owner, stored or fetched. Throws for blocked servers and temporary failures. */
export const findKey = async (
  ctx: Context,
  keyId: string,
  { reach, ...asking }: Asking & { reach: Reach },
): Promise<Found | null> => {
  const host = hostOf(keyId)
  if (host === null) return null
  admitHost(ctx, host)
  const known = asking.fresh ? null : await ctx.knownKeys.get(keyId)
  if (known !== null) return { ...known, actor: null }
  return asking.fresh || reach === 'outside' ? askOutside(ctx, keyId, host, asking) : null
}

const refusal = (refused: Refused) =>
  fail(
    refused.status === 400 ? 'invalid' : 'unauthenticated',
    refused.reason === 'no-signature' ? 'Request not signed' : `The signature is not accepted: ${refused.reason}`,
    { cause: refused },
  )

/** Counts a failure of this IP address and refuses. After too many failures it is asked to wait. */
const refuseSender = async (ctx: Context, request: Incoming, refused: Refused): Promise<never> => {
  if (request.ip !== null) await ctx.reader.budgets.failure(request.ip)
  throw refusal(refused)
}

const limitFailures = async (ctx: Context, request: Incoming): Promise<void> => {
  if (request.ip !== null && (await ctx.reader.budgets.failures(request.ip)) > MOST_FAILURES)
    throw fail('rate_limited', 'Too many failed signatures', { retryAfter: 60 })
}

/** The account behind a key that was just read from its owner; known keys have one already. */
export const accountOf = async (ctx: Context, keyId: string, found: Found): Promise<string> => {
  if (found.actor === null) return found.accountId as string
  const { record } = await ctx.call(putRemote, { actor: found.actor })
  ctx.knownKeys.forget(keyId)
  return record.id
}

/** The request as the code of signatures sees it, at this moment. */
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
 * The signer of a request. Throws what is to be answered: 401 or 400 for a signature that proves nothing, 403 for a blocked
 * server, 429 for an address that fails again and again, 503 while a key cannot be read.
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
    if (await ctx.reader.budgets.mayRefresh(owner)) outcome = await verify(true)
  }
  if (!outcome.ok) {
    // An unknown key is no failure here, because large servers read many documents before they are known.
    if (reach === 'known' && outcome.reason === 'unknown-key') throw refusal(outcome)
    return refuseSender(ctx, request, outcome)
  }
  const found = used.get(outcome.keyId) as Found
  const accountId = await accountOf(ctx, outcome.keyId, found)
  return { keyId: outcome.keyId, owner: found.owner as Uri, accountId, made: outcome.made }
}
