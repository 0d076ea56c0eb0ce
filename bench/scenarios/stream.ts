/** Measures the streaming of one public status to 2,000 WebSocket connections. */
import { freePort } from '@murmuration/testkit'
import { WebSocket } from 'ws'
import { addSignedIn } from '../lib/accounts.js'
import type { Pids } from '../lib/cpu.js'
import { startLimit } from '../lib/limit-process.js'
import { alternate, figureOf, timed } from '../lib/measure.js'
import type { Scenario } from '../lib/scenario.js'

const LISTENERS = 2_000
/** Number of statuses of one round. All connections receive each status before the next one is created. */
const STATUSES = 5

const connect = async (url: string): Promise<WebSocket> => {
  const socket = new WebSocket(url, { perMessageDeflate: false })
  await new Promise<void>((resolve, reject) => {
    socket.once('open', () => resolve())
    socket.once('error', reject)
  })
  return socket
}

/** Opens connections, a hundred at a time. */
const connectAll = async (urls: readonly string[]): Promise<WebSocket[]> => {
  const sockets: WebSocket[] = []
  for (let at = 0; at < urls.length; at += 100)
    sockets.push(...(await Promise.all(urls.slice(at, at + 100).map(connect))))
  return sockets
}

/** Returns a function that resolves once every socket has received a message that contains the text of `mark`. */
const awaitAll = (sockets: readonly WebSocket[], mark: () => string) => {
  let received = 0
  let done: (() => void) | undefined
  for (const socket of sockets)
    socket.on('message', (data: Buffer) => {
      if (data.includes(mark()) && ++received === sockets.length) done?.()
    })
  return () =>
    new Promise<void>((resolve) => {
      received = 0
      done = resolve
    })
}

export const stream: Scenario = {
  name: 'stream',
  about: 'stream one public status to 2,000 users, each with a WebSocket',
  limitIs: 'raw WebSocket send of the same bytes',
  target: { kind: 'ratio', value: 0.4 },
  async run({ start }) {
    const { product, users, path, analyze } = await start()
    const author = await users.create('author')
    const tokens = await addSignedIn(product.databaseUrl, LISTENERS, 'listener')
    const base = `ws://127.0.0.1:${product.port}/api/v1/streaming?stream=public&access_token=`
    const ours = await connectAll(tokens.map((token) => base + token))
    const port = await freePort()
    const server = await startLimit('ws-server.ts', String(port))
    const theirs = await connectAll(Array.from({ length: LISTENERS }, () => `ws://127.0.0.1:${port}/`))
    let n = 0
    let mark = ''
    const ourArrival = awaitAll(ours, () => mark)
    const theirArrival = awaitAll(theirs, () => mark)
    let sample = ''
    ours[0]?.on('message', (data) => {
      sample = data.toString()
    })
    const sendOurs = () => users.as(author, 'POST', '/api/v1/statuses', { status: `To all listeners ${mark}` })
    const round = (pids: Pids, arrival: () => Promise<void>, send: () => unknown) =>
      figureOf(pids, () =>
        timed(LISTENERS * STATUSES, async () => {
          for (let i = 0; i < STATUSES; i++) {
            mark = `mark-${n++}-`
            const all = arrival()
            await send()
            await all
          }
        }),
      )
    try {
      await round(path(), ourArrival, sendOurs)
      await analyze()
      return await alternate(
        5,
        () => round(path(), ourArrival, sendOurs),
        () => round({ server: server.pid }, theirArrival, () => server.send(sample.replace(/mark-\d+-/, mark))),
      )
    } finally {
      for (const socket of [...ours, ...theirs]) socket.terminate()
      await server.stop()
    }
  },
}
