/** Signing keys of local accounts, read in batches and cached parsed. */
import type { KeyObject } from 'node:crypto'
import type { KeyCache } from '@murmuration/activitypub/signatures/key-cache'
import { keyInvalidation, signingKey } from '@murmuration/contracts/accounts'
import { createMemoryCache, loadInChunks } from '@murmuration/flow'
import type { Call, Invalidations } from '@murmuration/kernel'

export interface Signer {
  /** Actor id. */
  readonly actor: string
  readonly keyId: string
  readonly privateKey: KeyObject
  /** Previous key of a rotated key. The previous key signs the Update of the actor that publishes the new key. */
  readonly previousKey?: KeyObject
}

export interface Signers {
  /** Signers by account id. Accounts without a key are left out. */
  many(accountIds: readonly string[]): Promise<Map<string, Signer>>
}

const MAX_SIGNERS = 5_000
const KEEP_MS = 600_000
/** Maximum number of account ids per call of `signingKey`, by its contract. */
const PAGE = 100

/** The signer of one activity. An Update of the actor is signed with the previous key, which other servers have stored. */
export const signerOf = (signer: Signer | undefined, activity: { kind: string; about: string }): Signer | undefined =>
  signer?.previousKey && activity.kind === 'Update' && activity.about === signer.actor
    ? { ...signer, privateKey: signer.previousKey }
    : signer

export const createSigners = (ctx: {
  call: Call<typeof signingKey>
  invalidations: Pick<Invalidations, 'subscribe'>
  clock: { now(): number }
  keys: KeyCache
}): Signers => {
  const kept = createMemoryCache<Signer>({ max: MAX_SIGNERS, ttlMs: KEEP_MS, now: () => ctx.clock.now() })
  // The cache invalidation message names accounts whose keys may have rotated; null means any account.
  ctx.invalidations.subscribe(keyInvalidation, kept.invalidate)
  const loadSigners = async (ids: string[]): Promise<Map<string, Signer>> => {
    const { keys } = await ctx.call(signingKey, { ids })
    const signers = Object.entries(keys).map(([id, it]): [string, Signer] => [
      id,
      {
        actor: it.keyId.split('#', 1)[0] as string,
        keyId: it.keyId,
        privateKey: ctx.keys.signing(it.privatePem),
        ...(it.previousPem !== undefined && { previousKey: ctx.keys.signing(it.previousPem) }),
      },
    ])
    return new Map(signers)
  }
  return { many: (accountIds) => kept.many(accountIds, (missing) => loadInChunks(missing, PAGE, loadSigners)) }
}
