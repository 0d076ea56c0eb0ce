/** Streaming one public status to 2,000 WebSocket listeners. */
import { freePort } from '@murmuration/testkit'
import { WebSocket } from 'ws'
import { startLimit } from '../lib/limit-process.js'
import { alternate, once } from '../lib/measure.js'
import type { Scenario } from '../lib/scenario.js'

const LISTENERS = 2_000
const PEOPLE = 40

const connect = async (url: string): Promise<WebSocket> => {
  const socket = new WebSocket(url, { perMessageDeflate: false })
  await new Promise<void>((resolve, reject) => {
    socket.once('open', () => resolve())
    socket.once('error', reject)
  })
  return socket
}

/** Opens many, a hundred at a time. */
const crowd = async (urls: readonly string[]): Promise<WebSocket[]> => {
  const sockets: WebSocket[] = []
  for (let at = 0; at < urls.length; at += 100)
    sockets.push(...(await Promise.all(urls.slice(at, at + 100).map(connect))))
  return sockets
}

/** Counts messages that contain a mark, until everybody had one. */
const everybodyHears = (sockets: readonly WebSocket[], mark: () => string) => {
  let heard = 0
  let done: (() => void) | undefined
  for (const socket of sockets)
    socket.on('message', (data) => {
      if (data.toString().includes(mark()) && ++heard === sockets.length) done?.()
    })
  return () =>
    new Promise<void>((resolve) => {
      heard = 0
      done = resolve
    })
}

export const stream: Scenario = {
  name: 'stream',
  about: 'stream one public status to 2,000 WebSocket listeners',
  limitIs: 'raw WebSocket send of the same bytes',
  target: { kind: 'ratio', value: 0.4 },
  env: { STREAMING_MAX_PER_ACCOUNT: '100' },
  async run({ product, people, backing, pid }) {
    const author = await people.make('speaker')
    const listeners = await Promise.all(
      Array.from({ length: PEOPLE }, (_, i) => i).map((i) => people.make(`listener${i}`)),
    )
    const base = `ws://127.0.0.1:${product.port}/api/v1/streaming?stream=public&access_token=`
    const ours = await crowd(Array.from({ length: LISTENERS }, (_, i) => base + listeners[i % PEOPLE]?.token))
    const port = await freePort()
    const server = await startLimit('ws-server.ts', String(port))
    const theirs = await crowd(Array.from({ length: LISTENERS }, () => `ws://127.0.0.1:${port}/`))
    let n = 0
    let mark = ''
    const heardOurs = everybodyHears(ours, () => mark)
    const heardTheirs = everybodyHears(theirs, () => mark)
    let sample = ''
    ours[0]?.on('message', (data) => {
      sample = data.toString()
    })
    try {
      const runOurs = () =>
        once({
          operations: LISTENERS,
          pids: [pid('edge'), pid('core'), product.nats.pid, backing.pg, backing.redis],
          async work() {
            mark = `mark-${n++}-`
            const all = heardOurs()
            await people.as(author, 'POST', '/api/v1/statuses', { status: `To all listeners ${mark}` })
            await all
          },
        })
      const runLimit = () =>
        once({
          operations: LISTENERS,
          pids: [server.pid],
          async work() {
            mark = `mark-${n++}-`
            const all = heardTheirs()
            server.send(`${mark}${sample || 'x'.repeat(2_500)}`)
            await all
          },
        })
      await runOurs()
      await runLimit()
      return await alternate(7, runOurs, runLimit)
    } finally {
      for (const socket of [...ours, ...theirs]) socket.terminate()
      server.kill()
    }
  },
}
