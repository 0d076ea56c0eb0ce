/** Requests with an unknown key while no process of this server fetches keys, as during its restart. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Context } from '../src/context.js'
import { findKey } from '../src/core/signer.js'
import { MAX_UNREAD_KEYS_PER_ADDRESS } from '../src/resolver/request-limits.js'
import { type SiblingServices, startSiblingServices } from './sibling-services.js'

let harness: SiblingServices
beforeAll(async () => {
  harness = await startSiblingServices({}, ['inbox'])
})
afterAll(() => harness.stop())

test('the failure may be retried soon, and does not count as an unread key of the sender', async () => {
  const ctx = harness.ours as unknown as Context
  const batch = Math.ceil(MAX_UNREAD_KEYS_PER_ADDRESS * 0.6)
  for (let round = 0; round < 2; round++) {
    const failures = await Promise.all(
      Array.from({ length: batch }, (_, n) =>
        findKey(ctx, `http://127.0.0.1:9/keys/${round}/${n}`, {
          fresh: false,
          reach: 'outside',
          from: '203.0.113.9',
        }).catch((error: { code: string; extras: { retryAfter?: number } }) => [error.code, error.extras.retryAfter]),
      ),
    )
    expect(failures).toEqual(Array(batch).fill(['unavailable', 1]))
  }
})
