/**
 * Serves the test client and unbundled masto.js on a loopback origin that is not the product's. `/moved` redirects to
 * `/arrived.html` on a third origin, as the redirect URIs of some apps do.
 */
import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { createRequire } from 'node:module'
import type { AddressInfo } from 'node:net'
import { dirname, extname, join } from 'node:path'

const { resolve } = createRequire(import.meta.url)
const folderOf = (name: string): string => dirname(resolve(name))

/** Path prefix → folder. `events-to-async` keeps its ES modules beside the CommonJS files that Node resolves. */
const FOLDERS: Readonly<Record<string, string>> = {
  '/modules/masto/': folderOf('masto'),
  '/modules/change-case/': folderOf('change-case'),
  '/modules/events-to-async/': join(folderOf('events-to-async'), '../module'),
  '/modules/ts-custom-error/': folderOf('ts-custom-error'),
  '/': join(import.meta.dirname, 'client'),
}
const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.mjs': 'text/javascript; charset=utf-8',
}

const read = async (path: string): Promise<Buffer | null> => {
  const prefix = Object.keys(FOLDERS).find((one) => path.startsWith(one)) ?? '/'
  const name = path.slice(prefix.length) || 'index.html'
  if (name.split('/').includes('..')) return null
  return readFile(join(FOLDERS[prefix] ?? '', name)).catch(() => null)
}

export interface ClientServer {
  /** `http://127.0.0.1:PORT`. The product is at `localhost`, which is another origin and another site. */
  readonly origin: string
  stop(): Promise<void>
}

export const startClientServer = async (): Promise<ClientServer> => {
  const server = createServer(async (req, res) => {
    const { pathname, search } = new URL(req.url ?? '/', 'http://localhost')
    if (pathname === '/moved') {
      const { port } = server.address() as AddressInfo
      return res.writeHead(302, { location: `http://localhost:${port}/arrived.html${search}` }).end()
    }
    const file = await read(pathname)
    res.writeHead(file ? 200 : 404, { 'content-type': TYPES[extname(pathname) || '.html'] ?? 'text/plain' })
    res.end(file ?? 'not found')
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    stop: () =>
      new Promise((done) => {
        server.close(() => done())
        server.closeAllConnections()
      }),
  }
}
