/** Accounts of a server whose handles are on another domain than its addresses, and that has a former domain. */
import {
  accountRecords,
  addAlias,
  findAccount,
  lookupAccount,
  putRemote,
  resolveAccount,
  signInUser,
  updateCredentials,
} from '@murmuration/contracts/accounts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { asked, type Harness, remoteActor, startAccounts } from './harness.js'

const HANDLES = ['bob', 'bob@handles.example', 'BOB@web.example', 'bob@old.example', 'bob@xn--bcher-kva.example']
let harness: Harness
beforeAll(async () => {
  harness = await startAccounts({
    LOCAL_DOMAIN: 'handles.example',
    WEB_DOMAIN: 'web.example',
    ALTERNATE_DOMAINS: 'old.example, bücher.example',
  })
  await harness.createAccount('bob')
})
afterAll(() => harness.stop())

test('bio and fields link a local account by its handle with each domain', async () => {
  const anna = await harness.createAccount('anna')
  for (const handle of HANDLES) {
    const edit = { note: `with @${handle}`, fields_attributes: [{ name: 'partner', value: `@${handle}` }] }
    const shown = await harness.call(updateCredentials, edit, anna)
    expect([handle, shown.note, shown.fields[0]?.value]).toEqual([
      handle,
      expect.stringContaining('href="https://web.example/@bob"'),
      expect.stringContaining('href="https://web.example/@bob"'),
    ])
  }
})

test('a handle with each domain finds the local account without a fetch', async () => {
  const viewer = await harness.createAccount('carol')
  const { id } = await harness.call(lookupAccount, { acct: 'bob' })
  asked.length = 0
  for (const handle of HANDLES) {
    expect((await harness.call(lookupAccount, { acct: handle })).id, handle).toBe(id)
    expect((await harness.call(resolveAccount, { handle })).record?.id, handle).toBe(id)
    expect((await harness.call(accountRecords, { handles: [handle] })).records[0]?.id, handle).toBe(id)
    const wanted = { viewer: viewer.id, q: `@${handle}`, limit: 5, offset: 0, resolve: true, following: false }
    expect((await harness.call(findAccount, wanted)).ids, handle).toEqual([id])
  }
  expect((await harness.call(resolveAccount, { uri: 'https://old.example/@bob@old.example' })).record?.id).toBe(id)
  expect(asked).toEqual([])
})

test('an alias may be a handle of a local account with a former domain', async () => {
  const password = 'correct horse battery'
  await harness.createAccount('dora', { password })
  const signIn = { email: 'dora@mail.example', password, ip: null, userAgent: null }
  const { session } = await harness.call(signInUser, signIn)
  const add = (acct: string) => harness.call(addAlias, { session: session ?? '', acct })
  expect(await add('@bob@old.example')).toMatchObject({ acct: 'bob@handles.example' })
  await expect(add('dora@old.example')).rejects.toMatchObject({
    message: 'Validation failed: Account cannot be the current account',
  })
})

test('an account of another server with a former domain in its handle is refused', async () => {
  await expect(harness.call(putRemote, { actor: remoteActor('eve', { domain: 'old.example' }) })).rejects.toMatchObject(
    {
      code: 'forbidden',
    },
  )
})
