/** Profiles of a server whose handles are on another domain than its addresses. */
import { credentialsUpdate } from '@murmuration/contracts/accounts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Harness, startAccounts } from './harness.js'

let harness: Harness
beforeAll(async () => {
  harness = await startAccounts({ LOCAL_DOMAIN: 'handles.example', WEB_DOMAIN: 'web.example' })
})
afterAll(() => harness.stop())

test('bio and fields link a local account by its handle with either domain', async () => {
  const anna = await harness.createAccount('anna')
  await harness.createAccount('bob')
  for (const handle of ['bob', 'bob@handles.example', 'BOB@web.example']) {
    const edit = { note: `with @${handle}`, fields_attributes: [{ name: 'partner', value: `@${handle}` }] }
    const shown = await harness.call(credentialsUpdate, edit, anna)
    expect([handle, shown.note, shown.fields[0]?.value]).toEqual([
      handle,
      expect.stringContaining('href="https://web.example/@bob"'),
      expect.stringContaining('href="https://web.example/@bob"'),
    ])
  }
})
