/** Settings pages of a server whose handles are on another domain than its addresses. */
import { accountCreateByOperator } from '@murmuration/contracts/accounts'
import { freePort } from '@murmuration/testkit'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Harness, PASSWORD, signInBrowser, startHarness } from './harness.js'

let harness: Harness
let web: string
beforeAll(async () => {
  const port = await freePort()
  web = `localhost:${port}`
  harness = await startHarness({ PORT: String(port), LOCAL_DOMAIN: 'handles.example', WEB_DOMAIN: web })
  // The account has no token, so its list of apps is empty.
  await harness.call(accountCreateByOperator, {
    username: 'alice',
    email: 'alice@mail.example',
    password: PASSWORD,
    confirmed: true,
  })
})
afterAll(() => harness.stop())

test('pages name the domain of the addresses as the server for apps, and the other one in handles', async () => {
  const by = await signInBrowser(harness, 'alice')
  const read = async (path: string) => (await by.get(`${harness.origin}${path}`)).text
  expect(await read('/settings')).toContain(`Its server address is ${web}.`)
  expect(await read('/settings')).toContain('@alice@handles.example')
  expect(await read('/oauth/authorized_applications')).toContain(`enter the address ${web}.`)
  expect(await read('/home/apps')).toContain(web)
})
