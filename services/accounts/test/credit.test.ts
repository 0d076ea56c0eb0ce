/** Tests of which hosts may name an account as the author of their pages. */
import { creditAllowed, moderateAccount, updateCredentials } from '@murmuration/contracts/accounts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Harness, startAccounts } from './harness.js'

let harness: Harness
beforeAll(async () => {
  harness = await startAccounts()
})
afterAll(() => harness.stop())

test('hostile 79 A021 an account credits exactly its listed hosts, and a suspended one none', async () => {
  const ada = await harness.createAccount('ada')
  const allowed = async (host: string) => (await harness.call(creditAllowed, { id: ada.id, host })).allowed
  expect(await allowed('news.example')).toBe(false)
  await harness.call(updateCredentials, { attribution_domains: ['news.example'] } as never, ada)
  expect(await allowed('news.example')).toBe(true)
  expect(await allowed('NEWS.example')).toBe(true)
  for (const host of ['blog.news.example', 'example', 'evilnews.example', '']) expect(await allowed(host)).toBe(false)
  await harness.call(moderateAccount, { id: ada.id, action: 'suspend', stamp: 'test' })
  expect(await allowed('news.example')).toBe(false)
})
