/** Log lines of failed sign-ins with an identity provider whose settings are wrong. */
import { beginIdentitySignIn } from '@murmuration/contracts/accounts'
import { logLines } from '@murmuration/testkit'
import { serve } from '@murmuration/testkit/outside/web-server'
import { expect, test } from 'vitest'
import { startAccounts } from './harness.js'

test('a sign-in with a wrong issuer is a line with the reason and the setting, once a minute', async () => {
  const server = await serve(() => ({
    status: 200,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ issuer: 'https://other.example' }),
  }))
  const harness = await startAccounts({
    OIDC_ENABLED: 'true',
    OIDC_DISPLAY_NAME: 'The Club',
    OIDC_ISSUER: server.origin,
    OIDC_CLIENT_ID: 'us',
    OIDC_CLIENT_SECRET: 'secret',
    OIDC_ALLOW_ADDRESSES: '127.0.0.0/8',
  })
  const begin = () =>
    expect(harness.call(beginIdentitySignIn, { provider: 'openid_connect', next: '/' })).rejects.toMatchObject({
      code: 'forbidden',
    })
  const lines = await logLines(harness, 'accounts', async () => {
    await begin()
    await begin()
  })
  expect(lines.filter(({ level }) => level === 'warn').map(({ message }) => message)).toEqual([
    'sign-in with The Club fails: its configuration names another issuer: see OIDC_ISSUER',
  ])
  await harness.stop()
  await server.close()
})
