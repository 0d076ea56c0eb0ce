/** S-104: streaming requests are redirected with path and query if streaming has another origin. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, test } from 'vitest'
import { createStreamingRedirect } from './streaming-redirect.js'

const site = { origin: 'https://social.example', https: true }

test.each(['', 'wss://social.example', 'wss://social.example:443', 'no address'])(
  'S-104 there is no redirect for %j',
  (streamingUrl) => {
    expect(createStreamingRedirect({ config: { streamingUrl }, site })).toBeNull()
  },
)

test.each([
  ['wss://streaming.example', 'https://streaming.example'],
  ['wss://social.example:4000', 'https://social.example:4000'],
  ['ws://localhost:4000', 'http://localhost:4000'],
])('S-104 a redirect to %s keeps path, query and port', async (streamingUrl, origin) => {
  const redirect = createStreamingRedirect({ config: { streamingUrl }, site })
  const server = createServer((req, res) => {
    if (!redirect?.(req, res)) res.end('not streaming')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const request = (path: string) => fetch(base + path, { redirect: 'manual' })
  const path = '/api/v1/streaming/user?stream=user&x=%20y'
  const response = await request(path)
  expect([response.status, response.headers.get('location')]).toEqual([301, origin + path])
  expect(response.headers.get('x-content-type-options')).toBe('nosniff')
  expect(response.headers.get('strict-transport-security')).toBe(
    site.https ? 'max-age=63072000; includeSubDomains' : null,
  )
  expect(await (await request('/api/v1/streamingx')).text()).toBe('not streaming')
  await new Promise((resolve) => server.close(resolve))
})
