/** Pages of a server whose handles are on another domain than its addresses, and that has a former domain. */
import { createAccountByOperator } from '@murmuration/contracts/accounts'
import { freePort } from '@murmuration/testkit'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Harness, PASSWORD, signInBrowser, startHarness } from './harness.js'

let harness: Harness
let web: string
beforeAll(async () => {
  const port = await freePort()
  web = `localhost:${port}`
  harness = await startHarness({
    PORT: String(port),
    LOCAL_DOMAIN: 'handles.example',
    WEB_DOMAIN: web,
    ALTERNATE_DOMAINS: 'old.example',
  })
  // The account has no token, so its list of apps is empty.
  await harness.call(createAccountByOperator, {
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

test('a profile page with a former domain in its path redirects to the page of the account', async () => {
  for (const domain of ['handles.example', 'old.example']) {
    const page = await harness.http(`/@alice@${domain}`)
    expect([domain, page.status, page.headers.get('location')]).toEqual([domain, 301, '/@alice'])
  }
})
