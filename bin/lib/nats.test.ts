/** States of NATS by the response of its health endpoint, in versions with different HTTP status codes. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, test } from 'vitest'
import { natsState } from './nats.mjs'

const notReady = '{"status":"error","error":"failed to be ready for connections after 1ms: server"}'
const skipped = `{"status":"unavailable","error":"JetStream stream '$G > JOBS' could not be recovered"}`

test.each([
  ['ready', 200, '{"status":"ok"}'],
  ['recovering', 500, notReady],
  ['recovering', 503, notReady],
  ['failed', 503, skipped],
  ['silent', 200, 'another program'],
])('the state is %s for status code %i', async (state, code, body) => {
  const server = createServer((_request, response) => response.writeHead(code).end(body))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  expect(await natsState((server.address() as AddressInfo).port)).toBe(state)
  server.close()
})
