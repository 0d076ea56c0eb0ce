/** Tests of the cache of access tokens. */
import { expect, test } from 'vitest'
import type { Context } from '../../context.js'
import { createTokens, type TokenLookup } from './tokens.js'

const startTokens = (expiresAt?: number) => {
  let now = 0
  let calls = 0
  const found = {
    tokenId: '1',
    appId: '2',
    scopes: ['read'],
    viewer: null,
    state: 'ok',
    ...(expiresAt && { expiresAt }),
  }
  const valid = { found, why: 'ok' }
  const call = async () => {
    calls += 1
    return expiresAt !== undefined && expiresAt <= now ? { found: null, why: 'expired' } : valid
  }
  const tokens = createTokens({
    call,
    invalidations: { subscribe: () => undefined },
    clock: { now: () => now },
  } as unknown as Pick<Context, 'call' | 'invalidations' | 'clock'>)
  return {
    at: async (ms: number): Promise<TokenLookup['why']> => {
      now = ms
      return (await tokens.resolve('value', '127.0.0.1')).why
    },
    calls: () => calls,
  }
}

test('a valid token is kept in the cache for ten seconds', async () => {
  const { at, calls } = startTokens()
  expect([await at(1), await at(10_000), calls()]).toEqual(['ok', 'ok', 1])
  expect([await at(10_001), calls()]).toEqual(['ok', 2])
})

test('a token in the cache is refused from its expiry on', async () => {
  const { at, calls } = startTokens(3_000)
  expect([await at(1), await at(2_999), calls()]).toEqual(['ok', 'ok', 1])
  expect([await at(3_000), calls()]).toEqual(['expired', 2])
})
