/** CSV exports to clients that disconnect, that read slowly, and that do not read at all. */
import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { text } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import type { TablePage } from '@murmuration/contracts/accounts'
import { ownRequest, within } from '@murmuration/kernel'
import type { Request, Response } from 'express'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { type Download, sendTable } from './table.js'

const PAGES = 300
/** A page of 100 KB, so that no buffer of the operating system can take all pages. */
const page = (n: number): TablePage => ({
  rows: [[`${n}:${'x'.repeat(100_000)}`]],
  next: n + 1 < PAGES ? String(n + 1) : null,
})

let server: Server
let read: (n: number) => Promise<TablePage>
let budgetMs = 60_000
let ended: PromiseWithResolvers<void>
let reads: number
let released: number
beforeAll(async () => {
  server = createServer((req, res) => {
    const download = {
      ctx: { site: { https: false } },
      req: req as Request,
      res: res as Response,
      releaseSlot: () => {
        released++
      },
    } as Download
    const send = () =>
      sendTable(download, 'table.csv', (after) => {
        reads++
        return read(Number(after ?? 0))
      })
    within(ownRequest(budgetMs), send).then(ended.resolve, ended.reject)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
})
afterAll(() => {
  server.closeAllConnections()
  server.close()
})
beforeEach(() => {
  ended = Promise.withResolvers()
  reads = 0
  released = 0
  budgetMs = 60_000
  read = async (n) => page(n)
})

const request = (): Socket => {
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1')
  socket.write('GET / HTTP/1.1\r\nHost: here.example\r\nConnection: close\r\n\r\n')
  return socket
}
/** Waits until the server has stopped to read pages because the client does not read. */
const untilStopped = async (): Promise<number> => {
  const before = reads
  await sleep(200)
  return before > 0 && before === reads ? reads : untilStopped()
}

test.each([
  ['first', 0],
  ['second', 1],
])('an export ends if the client disconnects while the %s page is read', async (_which, at) => {
  const [reading, cut] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  read = async (n) => {
    if (n === at) {
      reading.resolve()
      await cut.promise
    }
    return { rows: [['short']], next: String(n + 1) }
  }
  const socket = request()
  await reading.promise
  socket.destroy()
  await sleep(100)
  cut.resolve()
  await ended.promise
  expect(reads).toBe(at + 1)
})

test('pages are read only as fast as the client reads, without a slot, and all pages arrive', async () => {
  const socket = request()
  socket.pause()
  expect(await untilStopped()).toBeLessThan(PAGES / 2)
  expect(released).toBeGreaterThan(0)
  const body = await text(socket)
  await ended.promise
  expect([...body.matchAll(/(\d+):x/g)].map((match) => Number(match[1]))).toEqual([...Array(PAGES).keys()])
})

test('a client that does not read is disconnected at the deadline of its request', async () => {
  budgetMs = 500
  const socket = request()
  socket.pause()
  await ended.promise
  expect(reads).toBeLessThan(PAGES / 2)
})
