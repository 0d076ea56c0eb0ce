/** The HTTP server while it drains: persistent connections end with `Connection: close`, and no request gets a reset. */
import { Agent, type IncomingMessage, request } from 'node:http'
import { connect } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { afterEach, expect, test } from 'vitest'
import { openServer, type SharedServer } from '../src/http.js'

let server: SharedServer
let agent: Agent
let finish: () => void
afterEach(async () => {
  agent.destroy()
  await server.close(0)
})

const start = async () => {
  agent = new Agent({ keepAlive: true, maxSockets: 1 })
  server = await openServer('127.0.0.1', 0, { https: false, socketsPerAddress: 1_000 })
  const released = new Promise<void>((resolve) => {
    finish = resolve
  })
  server.mount({
    service: 'gateway',
    matches: () => true,
    request: async (req, res) => {
      req.resume()
      if (req.url === '/slow') await released
      res.end('done')
    },
  })
  server.complete()
}

const post = (path: string): Promise<{ connection: string | undefined; port: number | undefined; reused: boolean }> =>
  new Promise((resolve, reject) => {
    const asked = request(
      { host: '127.0.0.1', port: server.port, path, method: 'POST', agent },
      (res: IncomingMessage) => {
        const port = res.socket.localPort
        res.resume().on('end', () => resolve({ connection: res.headers.connection, port, reused: asked.reusedSocket }))
      },
    )
    asked.on('error', reject)
    asked.end('{}')
  })

test('from the start of the drain every response ends its connection, and new connections are still accepted', async () => {
  await start()
  const [first, second] = [await post('/'), await post('/')]
  expect([first.connection, second.connection, second.reused]).toEqual(['keep-alive', 'keep-alive', true])
  server.drain()
  const [third, fourth] = [await post('/'), await post('/')]
  expect([third.connection, third.reused]).toEqual(['close', true])
  expect([fourth.connection, fourth.reused]).toEqual(['close', false])
})

test('a request in progress at the start of the drain gets its response, which ends its connection', async () => {
  await start()
  const slow = post('/slow')
  await pause(100)
  server.drain()
  await server.stopListening(0, 0)
  const closed = server.close(10_000)
  await pause(300)
  finish()
  expect(await slow).toMatchObject({ connection: 'close' })
  await closed
})

test('after the end of listening an idle connection is still served, and it is closed last', async () => {
  await start()
  const { port } = await post('/')
  server.drain()
  await server.stopListening(0, 0)
  expect(await post('/')).toMatchObject({ connection: 'close', port, reused: true })
  await expect(post('/')).rejects.toMatchObject({ code: 'ECONNREFUSED' })
})

test('the listener stays open until no new connection was opened for a while', async () => {
  await start()
  await post('/')
  const began = performance.now()
  const stopped = server.stopListening(400, 10_000).then(() => performance.now() - began)
  for (let i = 0; i < 5; i++) {
    await pause(200)
    const socket = connect(server.port, '127.0.0.1')
    await new Promise<void>((resolve, reject) => socket.once('connect', resolve).once('error', reject))
    socket.destroy()
  }
  expect(await stopped).toBeGreaterThan(1_200)
})
